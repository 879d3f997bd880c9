// The body of a chat request: our own short form, or the form that `useChat` of the AI SDK sends. Of the
// messages in the latter, only the last one counts: the others are already recorded, whatever the page still
// shows.

import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { ChatOptions, Content, Part } from '../../index.ts'
import { MemoryError } from '../../index.ts'
import { content } from '../schemas/message.ts'
import { givenTime, id, jsonObject, jsonValue } from '../schemas/values.ts'

const options = {
  budgetTokens: z.int().min(1).optional().meta({ description: 'The most tokens of the whole request.' }),
  window: z
    .union([z.enum(['12k', '128k', '262k']), z.int().min(1)])
    .optional()
    .meta({ description: "The size of the model's window, where no budget is given." }),
  system: z.string().optional().meta({ description: 'Instructions that come before everything else.' }),
  memory: z.boolean().optional().meta({ description: 'False: nothing but the turns of the conversation.' }),
  memoryTokens: z.int().min(0).optional().meta({ description: 'The most tokens of what is remembered.' }),
  webSearch: z.boolean().optional().meta({ description: 'False: the web is not asked.' }),
  maxTokens: z.int().min(1).optional().meta({ description: 'The longest answer.' }),
  temperature: z.number().min(0).optional(),
  debug: z
    .boolean()
    .optional()
    .meta({ description: 'Adds MEMORY_DEBUG, RAG_DEBUG and SEARCH_DEBUG as comments to the stream.' }),
}

const said = z.union([
  z.string().min(1),
  z.strictObject({
    id: id.optional(),
    content,
    name: id.optional(),
    createdAt: givenTime.optional(),
    importance: z.number().min(0).max(1).optional(),
    metadata: jsonObject.optional(),
  }),
])

const shortForm = z.strictObject({
  message: said
    .optional()
    .meta({ description: 'What the user says; the same id again asks for another answer.' }),
  edits: id.optional().meta({ description: 'The message of the user that it takes the place of.' }),
  regenerate: z
    .union([z.literal(true), id])
    .optional()
    .meta({ description: 'Another answer to the last question, or in the place of the answer of this id.' }),
  ...options,
})

const uiForm = z.looseObject({
  id: z.string().optional().meta({ description: 'Not looked at: the address names the conversation.' }),
  messages: z
    .array(
      z.looseObject({
        id: z.string().optional(),
        role: z.enum(['system', 'user', 'assistant']),
        parts: z.array(z.looseObject({ type: z.string() })),
        metadata: jsonValue.optional(),
      }),
    )
    .min(1),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().optional(),
  ...options,
})

export const chatBody: z.ZodType<ChatBody> = z.union([shortForm, uiForm]).meta({
  id: 'ChatTurn',
  description: 'A turn, or what `useChat` of the AI SDK sends.',
}) as unknown as z.ZodType<ChatBody>

type Options = Omit<ChatOptions, 'message' | 'edits' | 'regenerate' | 'signal'> & { readonly debug?: boolean }
type ShortForm = Options & Pick<ChatOptions, 'message' | 'edits' | 'regenerate'>

interface UiPart extends Readonly<Record<string, unknown>> {
  readonly type: string
}

interface UiForm extends Options {
  readonly messages: readonly {
    readonly id?: string
    readonly role: 'system' | 'user' | 'assistant'
    readonly parts: readonly UiPart[]
  }[]
  readonly trigger?: 'submit-message' | 'regenerate-message'
  readonly messageId?: string
}

export type ChatBody = ShortForm | UiForm

export function toChatRequest(body: ChatBody): ChatOptions {
  const { budgetTokens, window, system, memory, memoryTokens, webSearch, maxTokens, temperature } = body
  const asked = definedFields({
    budgetTokens,
    window,
    system,
    memory,
    memoryTokens,
    webSearch,
    maxTokens,
    temperature,
  })
  return { ...asked, ...('messages' in body ? fromUi(body) : fromShort(body)) }
}

function fromShort({ message, edits, regenerate }: ShortForm): ChatOptions {
  const words = typeof message === 'object' ? (definedFields(message) as typeof message) : message
  return definedFields({ message: words, edits, regenerate })
}

/**
 * A message sent again with the same id was either edited or should be answered again; its text decides
 * which.
 */
function fromUi({ messages, trigger, messageId }: UiForm): ChatOptions {
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
function toPart(part: UiPart): readonly Part[] {
  const { type, text, url, mediaType, filename } = part as Partial<UiPart>
  if (type === 'text' && typeof text === 'string') return text.trim() === '' ? [] : [{ type, text }]
  if (type !== 'file' || typeof url !== 'string') return []
  const media = typeof mediaType === 'string' ? { mediaType } : {}
  if (typeof mediaType === 'string' && mediaType.startsWith('image/'))
    return [{ type: 'image', url, ...media }]
  return [{ type: 'file', url, ...media, ...(typeof filename === 'string' && { name: filename }) }]
}
