import type { WireConversation } from 'recollect/react'

export const titleOf = ({ title, messageCount, id }: WireConversation): string => {
  if (title !== undefined && title !== '') return title
  return messageCount === 0 ? 'New chat' : id
}
