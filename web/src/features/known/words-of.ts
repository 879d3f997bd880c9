import type { WireMessage } from 'recollect/react'

/** The words of a message, without calls of tools, pictures and thoughts. */
export function wordsOf(content: WireMessage['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
