import { z } from 'zod'
import { WINDOWS, type WindowName } from '../options/context-options.ts'
import { questionFields } from './recall.ts'
import { filledText, type Input, list, object, text } from './values.ts'

const windowNames = Object.keys(WINDOWS) as [WindowName, ...WindowName[]]

const query = filledText('messageBytes')
const position = z.int()

/** What a context and a chat turn have in common. */
export const budgetFields = {
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

export const contextOptions = object('the options of a context', {
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
