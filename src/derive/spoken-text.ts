import { withoutInjected } from '../domain/injected.ts'
import { type Message, partsOf } from '../domain/message.ts'

/**
 * What people and the assistant said: not what tools returned, system prompts ordered, a model thought or a
 * memory had put in.
 */
export function spokenText({ role, content, erasedAt }: Message): string {
  if (erasedAt !== undefined || role === 'system' || role === 'tool') return ''
  const texts = partsOf(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return withoutInjected(texts.join('\n\n'))
}
