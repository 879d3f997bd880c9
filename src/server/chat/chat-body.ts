// The body of a chat request: our own short form, or the form that `useChat` of the AI SDK sends. Of the
// messages in the latter, only the last one counts: the others are already recorded, whatever the page still
// shows.

import type { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { ChatOptions, Content, Part } from '../../index.ts'
import { MemoryError } from '../../index.ts'
import type { chatBody, UiCall } from '../../schemas/chat.ts'

export type ChatBody = z.input<typeof chatBody>

export function toChatRequest(body: ChatBody): ChatOptions {
  const { budgetTokens, window, system, memory, memoryTokens, now, scope, pageId } = body
  const { webSearch, maxTokens, temperature } = body
  const asked = definedFields({
    ...{ budgetTokens, window, system, memory, memoryTokens, now, scope, pageId },
    ...{ webSearch, maxTokens, temperature },
  })
  return { ...asked, ...('messages' in body ? fromUi(body) : fromShort(definedFields(body))) }
}

function fromShort({
  message,
  edits,
  regenerate,
}: Pick<ChatOptions, 'message' | 'edits' | 'regenerate'>): ChatOptions {
  const words = typeof message === 'object' ? (definedFields(message) as typeof message) : message
  return definedFields({ message: words, edits, regenerate })
}

/** A message sent again with the same id was edited, or should be answered again; its text decides which. */
function fromUi({ messages, trigger, messageId }: UiCall): ChatOptions {
  const last = messages.findLast(({ role }) => role === 'user')
  if (last === undefined) throw new MemoryError('invalid-input', 'the messages have none of the user')
  const message = { content: toContent(last.parts.flatMap(toPart)) }
  const isAgain = trigger === 'regenerate-message' || (messageId !== undefined && messageId === last.id)
  if (isAgain && last.id !== undefined && last.id !== '') return { message, edits: last.id }
  return { message: { ...message, ...(last.id !== undefined && last.id !== '' && { id: last.id }) } }
}

function toContent(parts: readonly Part[]): Content {
  const [first, ...others] = parts
  if (first === undefined) throw new MemoryError('invalid-input', 'the message is empty')
  return first.type === 'text' && others.length === 0 ? first.text : parts
}

/** Drops parts that only matter to the page. */
function toPart(part: Readonly<Record<string, unknown>>): readonly Part[] {
  const { type, text, url, mediaType, filename } = part
  if (type === 'text' && typeof text === 'string') return text.trim() === '' ? [] : [{ type, text }]
  if (type !== 'file' || typeof url !== 'string') return []
  const media = typeof mediaType === 'string' ? { mediaType } : {}
  if (typeof mediaType === 'string' && mediaType.startsWith('image/'))
    return [{ type: 'image', url, ...media }]
  return [{ type: 'file', url, ...media, ...(typeof filename === 'string' && { name: filename }) }]
}
