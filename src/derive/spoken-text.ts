import { withoutInjected } from '../domain/injected.ts'
import { type Message, partsOf } from '../domain/message.ts'
import { isSaid } from '../domain/recollect-metadata.ts'

/**
 * What people and the assistant said: not what tools returned, system prompts ordered, a model thought or a
 * memory had put in or made up by itself.
 */
export function spokenText(message: Message): string {
  const { role, content, erasedAt } = message
  if (erasedAt !== undefined || role === 'system' || role === 'tool' || !isSaid(message)) return ''
  const texts = partsOf(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return withoutInjected(texts.join('\n\n'))
}
