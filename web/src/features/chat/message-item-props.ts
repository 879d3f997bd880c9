import type { ShownMessage } from 'recollect/react'

export interface MessageItemProps {
  readonly message: ShownMessage
  readonly conversationId: string
  readonly isLit: boolean
  readonly isLast: boolean
  readonly isWhyShown: boolean
  readonly previousAt: string | undefined
  readonly onWhy: (receiptId: string) => void
  readonly onEdit: (messageId: string, text: string) => void
  readonly onRegenerate: (messageId: string) => void
}
