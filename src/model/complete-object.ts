// Structured answers from any language model. The schema is part of the prompt, and of the request for
// servers that can enforce one; many cannot, so no answer is trusted: JSON is searched for in it and
// validated against the schema. An invalid answer is shown to the model once, with the validation error. If
// the second one is invalid too, the call fails with `model-failed`, and the caller uses a built-in method.

import { prettifyError, toJSONSchema, type ZodType } from 'zod'
import { MemoryError } from '../domain/errors.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ContextMessage } from '../domain/message.ts'
import type { AnswerSchema, CompletionRequest, LanguageModel } from './models.ts'

/** How much of its invalid answer and of the error the model is shown: enough to correct it. */
const MAX_ANSWER_CHARACTERS = 8000
const MAX_PROBLEM_CHARACTERS = 1000

type Read<Answer> = { readonly answer: Answer } | { readonly problem: string }

/** Requests an answer of a given shape; takes one round trip, or two. */
export async function completeObject<Answer>(
  model: LanguageModel,
  request: Omit<CompletionRequest, 'jsonSchema'>,
  schema: AnswerSchema<Answer>,
): Promise<Answer> {
  const messages = withSchema(request.messages, schema)
  const ask = (more: readonly ContextMessage[]) =>
    model.complete({
      temperature: 0, // the same question should get the same answer
      ...request,
      messages: [...messages, ...more],
      jsonSchema: schema.jsonSchema,
    })
  const first = await ask([])
  const read = readAnswer(first, schema)
  if ('answer' in read) return read.answer
  const again = readAnswer(await ask(toRepair(first, read.problem)), schema)
  if ('answer' in again) return again.answer
  throw new MemoryError(
    'model-failed',
    `${model.name} returned no valid answer in two attempts: ${again.problem}`,
    {
      hint: 'Recollect falls back to its built-in method; a larger model, or one with structured output, may work better',
    },
  )
}

function withSchema(
  messages: readonly ContextMessage[],
  { jsonSchema }: AnswerSchema<unknown>,
): readonly ContextMessage[] {
  const order = `Answer with JSON only, no other words, that fits this JSON schema:\n${JSON.stringify(jsonSchema)}`
  const [first, ...rest] = messages
  if (first?.role === 'system' && typeof first.content === 'string')
    return [{ ...first, content: `${first.content}\n\n${order}` }, ...rest]
  return [{ role: 'system', content: order }, ...messages]
}

function readAnswer<Answer>(text: string, schema: AnswerSchema<Answer>): Read<Answer> {
  let worst = { size: 0, problem: 'it contains no complete JSON value' }
  for (const value of findJson(text)) {
    try {
      return { answer: schema.parse(value) }
    } catch (error) {
      // The largest candidate is the one worth correcting; a footnote [1] is not.
      const size = JSON.stringify(value).length
      const problem = error instanceof Error ? error.message : String(error)
      if (size > worst.size) worst = { size, problem }
    }
  }
  return { problem: worst.problem.slice(0, MAX_PROBLEM_CHARACTERS) }
}

function toRepair(answer: string, problem: string): readonly ContextMessage[] {
  return [
    { role: 'assistant', content: answer.slice(0, MAX_ANSWER_CHARACTERS) },
    {
      role: 'user',
      content: `That answer cannot be used. What is wrong with it:\n${problem}\n\nAnswer again with the mended JSON only.`,
    },
  ]
}

// Models wrap JSON in fences, introduce it and comment on it. Candidates are, in this order: the whole
// answer; the contents of fences, last first; and every balanced piece in braces or brackets, last first,
// since the answer follows reasoning and quotes. Takes linear time.

const FENCE = /```([\s\S]*?)```/g
const FENCE_LABEL = /^[a-z0-9]{0,20}\s/i
/** An unclosed string ends with its line, so that no text is scanned twice. */
const SIGNS = /"(?:[^"\\\n]|\\[^\n])*"?|[{}[\]]/g
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['}', '{'],
  [']', '['],
])

/** Limit for fences and for pieces: a text with more of them is not an answer. */
const MOST_CANDIDATES = 20

/** The JSON values that may be the answer, most likely first. */
export function* findJson(text: string): Generator<unknown> {
  const fenced = [...text.matchAll(FENCE)].slice(-MOST_CANDIDATES).map(([, inside = '']) => inside)
  const candidates = [
    text,
    ...fenced.map((inside) => inside.replace(FENCE_LABEL, '')).toReversed(),
    ...closedPieces(text).slice(-MOST_CANDIDATES).toReversed(),
  ]
  for (const candidate of candidates) {
    const parsed = tryParse(candidate.trim())
    if (parsed !== undefined) yield parsed.value
  }
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

interface Piece {
  readonly start: number
  readonly end: number
}

/** Outermost pieces from an opening brace or bracket to its closing one. */
function closedPieces(text: string): string[] {
  const openers: number[] = []
  const pieces: Piece[] = []
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    if (sign === '{' || sign === '[') openers.push(index)
    const opener = CLOSERS.get(sign)
    if (opener === undefined || text[openers.at(-1) ?? -1] !== opener) continue
    const start = openers.pop() as number
    while ((pieces.at(-1)?.start ?? -1) > start) pieces.pop()
    pieces.push({ start, end: index + 1 })
  }
  return pieces.map(({ start, end }) => text.slice(start, end))
}

// The only place where zod is used for the answers of models: steps describe an answer with zod and pass it
// on as the plain contract of `model/models.ts`, which is independent of a validator.

export function answerSchema<Answer>(type: ZodType<Answer>): AnswerSchema<Answer> {
  const { $schema: _dialect, ...jsonSchema } = toJSONSchema(type, { io: 'input' })
  return {
    jsonSchema: jsonSchema as JsonObject,
    parse(value) {
      const result = type.safeParse(value)
      if (result.success) return result.data
      throw new TypeError(prettifyError(result.error), { cause: result.error })
    },
  }
}
