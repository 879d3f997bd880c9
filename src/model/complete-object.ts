// Structured answers from any language model. The schema goes into the prompt, and beside it for servers that can
// hold a model to one; many cannot, so nothing that comes back is believed: JSON is looked for in it and checked
// against the schema. A wrong answer is shown to the model once, with what is wrong about it. If the second is wrong
// too, the call fails with `model-failed`, and the caller answers by built-in means.

import type { ContextMessage } from '../domain/context-message.ts'
import { MemoryError } from '../domain/errors.ts'
import { findJson } from './find-json.ts'
import type { AnswerSchema, CompletionRequest, LanguageModel } from './language-model.ts'

/** What the model sees of its own wrong answer, and of what was wrong: enough to mend it. */
const SHOWN_ANSWER_CHARACTERS = 8000
const SHOWN_PROBLEM_CHARACTERS = 1000

type Read<Answer> = { readonly answer: Answer } | { readonly problem: string }

/** Asks for an answer of a given shape; one round trip, or two. */
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
    `${model.name} gave no usable answer in two tries: ${again.problem}`,
    {
      hint: 'built-in means take over; a larger model, or one made for structured output, may do better',
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
  let worst = { size: 0, problem: 'it holds no complete JSON value' }
  for (const value of findJson(text)) {
    try {
      return { answer: schema.parse(value) }
    } catch (error) {
      // The largest candidate is the one worth mending; a footnote [1] is not.
      const size = JSON.stringify(value).length
      const problem = error instanceof Error ? error.message : String(error)
      if (size > worst.size) worst = { size, problem }
    }
  }
  return { problem: worst.problem.slice(0, SHOWN_PROBLEM_CHARACTERS) }
}

function toRepair(answer: string, problem: string): readonly ContextMessage[] {
  return [
    { role: 'assistant', content: answer.slice(0, SHOWN_ANSWER_CHARACTERS) },
    {
      role: 'user',
      content: `That answer cannot be used. What is wrong with it:\n${problem}\n\nAnswer again with the mended JSON only.`,
    },
  ]
}
