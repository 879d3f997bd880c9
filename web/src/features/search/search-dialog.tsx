interface SearchDialogProps {
  readonly conversationId: string | undefined
  readonly onClose: () => void
}

export function SearchDialog({ onClose }: SearchDialogProps) {
  return <dialog onClose={onClose} />
}
