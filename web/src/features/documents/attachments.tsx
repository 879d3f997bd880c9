import { useRef } from 'react'
import { usePageContext } from 'recollect/react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { type AttachedDocument, attachFiles, detachDocument, useDocuments } from './use-documents.ts'
import './documents.css'

/** The files of a conversation, shown below the composer. */
export function Attachments({ conversationId }: { readonly conversationId: string }) {
  const { value: documents = [], refresh } = useDocuments(conversationId)
  return (
    <>
      <AttachButton onFiles={(files) => void attachFiles(conversationId, files).then(refresh)} />
      {documents.length > 0 && (
        <DocumentChips conversationId={conversationId} documents={documents} onChange={refresh} />
      )}
    </>
  )
}

interface AttachButtonProps {
  readonly onFiles: (files: readonly File[]) => void
  /** The button's text. Without it, only an icon is shown. */
  readonly text?: string
}

export function AttachButton({ onFiles, text }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      {text === undefined ? (
        <IconButton
          icon="attach"
          label="Attach files (or drop them here)"
          onClick={() => input.current?.click()}
        />
      ) : (
        <Button icon="plus" onClick={() => input.current?.click()}>
          {text}
        </Button>
      )}
    </>
  )
}

interface DocumentChipsProps {
  readonly conversationId: string
  readonly documents: readonly AttachedDocument[]
  readonly onChange: () => Promise<void>
}

/** Passages of the active file rank first in recall. */
function DocumentChips({ conversationId, documents, onChange }: DocumentChipsProps) {
  const { context, setActiveFile } = usePageContext(conversationId)
  const activeId = context?.activeFile?.id
  return documents.map((document) => {
    const { id, name } = document
    const isActive = id === activeId
    return (
      <Menu
        key={id}
        label={isActive ? `${name} (active file)` : name}
        className={isActive ? 'document-chip document-chip-active' : 'document-chip'}
        button={
          <>
            <Icon name="file" size={14} />
            <span>{name}</span>
          </>
        }
      >
        {() => (
          <>
            <MenuItem
              icon={isActive ? 'close' : 'bolt'}
              onChoose={() => setActiveFile(isActive ? null : { id, name })}
            >
              {isActive ? 'Unset as active file' : 'Set as active file'}
            </MenuItem>
            <MenuItem
              icon="trash"
              onChoose={() => {
                if (isActive) setActiveFile(null)
                void detachDocument(conversationId, id).then(onChange)
              }}
            >
              Detach from this chat
            </MenuItem>
          </>
        )}
      </Menu>
    )
  })
}
