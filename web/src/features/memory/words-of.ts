import type { WireMessage } from 'recollect/react'

/** The text of a message, without tool calls, images and reasoning. */
export function wordsOf(content: WireMessage['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
