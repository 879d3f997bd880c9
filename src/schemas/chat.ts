import { z } from 'zod'
import { WINDOWS, type WindowName } from '../options/context-options.ts'
import { refuse } from './check.ts'
import { messageFields, type NewMessage } from './message.ts'
import { questionFields } from './recall.ts'
import { filledText, type Input, id, list, object, text } from './values.ts'

const windowNames = Object.keys(WINDOWS) as [WindowName, ...WindowName[]]

const query = filledText('messageBytes')
const position = z.int()

/** What a context and a chat turn have in common. */
const budgetFields = {
  ...questionFields,
  /** Maximum tokens of the whole request. @default what the window leaves */
  budgetTokens: z.int().min(1).optional().meta({ description: 'Maximum tokens of the whole request.' }),
  /** The size of the model's context window. @default the option context.window */
  window: z
    .union([z.enum(windowNames), z.int().min(1)])
    .optional()
    .meta({ description: "The size of the model's context window, used without budgetTokens." }),
  /** Instructions placed before everything else, and before recorded system messages. */
  system: text.optional().meta({ description: 'Instructions placed before everything else.' }),
  /** False: only the turns of the conversation. @default true, unless the conversation's memory is off */
  memory: z.boolean().optional().meta({ description: 'False: only the turns of the conversation.' }),
  /** Maximum tokens of remembered text; 0 leaves memory out. @default the option context.memoryTokens */
  memoryTokens: z.int().min(0).optional().meta({ description: 'Maximum tokens of remembered text.' }),
}

/** What a context takes over HTTP as well. */
const fields = {
  ...budgetFields,
  /** The tools of the request, in the provider's shape: they cost tokens too. */
  tools: list(z.unknown())
    .optional()
    .meta({ description: "The tools of the request in the provider's shape: they cost tokens too." }),
}

const contextOptions = object('the options of a context', {
  /** The question, where it is not recorded yet. @default the last user message */
  query: query.optional().meta({ description: 'The question, where it is not recorded yet.' }),
  ...fields,
  /** Build the context as of this position (exclusive), for example to regenerate a reply. @default all */
  before: position.optional(),
  /** Only turns after this position; the earlier ones are represented by memory. @default all */
  after: position.optional(),
  /** `background` does not wait until the receipt is stored; `receiptSaved` resolves when it is. @default "now" */
  receipt: z.enum(['now', 'background']).optional(),
})

export type ContextOptions = Input<typeof contextOptions>

export const contextRequest = object('the request', {
  query: query.optional().meta({ description: 'The question, where it is not recorded yet.' }),
  ...fields,
}).meta({ id: 'ContextRequest', title: 'the request' })

export type ContextRequest = Input<typeof contextRequest>

/** Inside the library: the context of one turn of a chat. */
export const contextTurn = contextOptions.extend({ signal: z.instanceof(AbortSignal).optional() })

/** What the user says: text, or a message with an id, parts, a name. Sending the same id again asks for another answer. */
export type ChatMessage = string | Omit<NewMessage, 'role'>

const message = z.union([
  filledText('messageBytes'),
  object('the message', messageFields),
]) as unknown as z.ZodType<ChatMessage, ChatMessage>

const settings = {
  ...budgetFields,
  /** False: no web search, even if the question asks for something recent. @default true where it is configured */
  webSearch: z.boolean().optional().meta({ description: 'False: no web search.' }),
  /** Maximum tokens of the answer. @default the option chat.maxAnswerTokens */
  maxTokens: z.int().min(1).optional().meta({ description: 'Maximum tokens of the answer.' }),
  /** @default the model's own */
  temperature: z.number().min(0).optional(),
}

const turn = {
  /** Left out where another answer is asked for. */
  message: message
    .optional()
    .meta({ description: 'What the user says; sending the same id again asks for another answer.' }),
  /**
   * The id of an earlier user message that this one replaces, with everything after it. With the same text, it asks
   * for another answer.
   */
  edits: id.optional().meta({ description: 'The id of the user message that this one replaces.' }),
  /**
   * Another answer to the last question, or one that replaces the answer with this id and everything after it. The
   * replaced messages stay in the record and are in no later context.
   */
  regenerate: z
    .union([z.literal(true), id])
    .optional()
    .meta({
      description: 'Another answer to the last question, or one that replaces the answer with this id.',
    }),
  ...settings,
}

const NOTHING_TO_ANSWER =
  'chat({ message: "…" }), or chat({ regenerate: true }) for another answer to the last question'

function checkTurn(
  payload: z.core.ParsePayload<Partial<Record<'message' | 'edits' | 'regenerate', unknown>>>,
): void {
  const { message: said, edits, regenerate } = payload.value
  if (said === undefined && regenerate === undefined)
    refuse(payload, 'needs a message or regenerate', { hint: NOTHING_TO_ANSWER })
  if (said !== undefined && regenerate !== undefined)
    refuse(payload, 'has both a message and regenerate', { hint: 'send one of them' })
  if (said === undefined && edits !== undefined)
    refuse(payload, 'has edits without a message', { hint: 'send the message that replaces the earlier one' })
}

export const chatOptions = object('a chat turn', {
  ...turn,
  /** Stops the turn; the answer up to then is recorded. */
  signal: z.instanceof(AbortSignal).optional(),
})
  .check(checkTurn)
  .meta({ title: 'a chat turn' })

/** One turn of a chat. */
export type ChatOptions = Input<typeof chatOptions>

const debug = z
  .boolean()
  .optional()
  .meta({ description: 'Adds MEMORY_DEBUG, RAG_DEBUG and SEARCH_DEBUG comments to the stream.' })

const chatCall = object('a chat turn', { ...turn, debug })

/** A turn over HTTP. */
export type ChatRequest = Input<typeof chatCall>

/** What `useChat` of the AI SDK sends: of its messages only the last user message counts. */
const uiCall = z.looseObject({
  id: z.string().optional().meta({ description: 'Ignored: the path names the conversation.' }),
  messages: list(
    z.looseObject({
      id: z.string().optional(),
      role: z.enum(['system', 'user', 'assistant']),
      parts: list(z.looseObject({ type: z.string() })),
      metadata: z.unknown().optional(),
    }),
  ),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().optional(),
  ...settings,
  debug,
})

export type UiCall = z.input<typeof uiCall>

export const chatBody = z.union([chatCall.check(checkTurn).meta({ title: 'a chat turn' }), uiCall]).meta({
  id: 'ChatTurn',
  title: 'a chat turn',
  description: 'A turn, or what `useChat` of the AI SDK sends.',
})
