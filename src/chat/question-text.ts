import { withoutInjected } from '../domain/injected.ts'
import { type Message, partsOf } from '../domain/message.ts'

/** What was asked in words. */
export function questionText({ content }: Pick<Message, 'content'>): string {
  const texts = partsOf(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return withoutInjected(texts.join('\n\n')).trim()
}
