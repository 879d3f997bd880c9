import { withoutInjected } from '../domain/injected.ts'
import { type Message, partsOf } from '../domain/message.ts'
import { isSaid } from '../domain/recollect-metadata.ts'

/**
 * The text that people and the assistant wrote, without tool results, system prompts, reasoning, and text that a
 * memory injected or generated.
 */
export function spokenText(message: Message): string {
  const { role, content, erasedAt } = message
  if (erasedAt !== undefined || role === 'system' || role === 'tool' || !isSaid(message)) return ''
  const texts = partsOf(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return withoutInjected(texts.join('\n\n'))
}
