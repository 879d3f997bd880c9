// Facts that a model extracts from what people said, in addition to those that the patterns find. Every fact in
// its answer is checked. If both found the same fact in a message, it counts once.

import { definedFields } from '../../domain/defined-fields.ts'
import { completeObject } from '../../model/complete-object.ts'
import type { AnswerSchema, LanguageModel } from '../../model/models.ts'
import type { DerivedItem } from '../../store/derivations.ts'
import { readMessages } from '../../store/read-pages.ts'
import type { Store } from '../../store/store.ts'
import type { JobHandler } from '../jobs/run-jobs.ts'
import { spokenText } from '../spoken-text.ts'
import type { SpokenMessage } from './extract-facts.ts'
import {
  EXTRACTED_FACT,
  type ExtractedFact,
  extractedFactKey,
  toExtractedFactBody,
} from './extracted-fact.ts'
import { readFactsAnswer } from './facts-answer.ts'
import { buildFactsPrompt, FACTS_ANSWER_SCHEMA } from './facts-prompt.ts'

const MODEL_FACTS = 'model-facts'

/** Messages per request. */
const PORTION = 24
/** In a message, facts of the model come after those of the patterns. */
const FIRST_INDEX = 1000

export interface ModelFactsDeps {
  readonly store: Store
  readonly model: LanguageModel
  readonly now: () => Date
}

interface ReadTurn extends SpokenMessage {
  readonly position: number
}

/** Accepts any object of this shape. Its contents are checked against what was said. */
const ANSWER: AnswerSchema<unknown> = {
  jsonSchema: FACTS_ANSWER_SCHEMA,
  parse(value) {
    const facts = (value as { facts?: unknown } | null)?.facts
    if (Array.isArray(facts)) return value
    throw new TypeError('it must be an object with a list "facts"')
  },
}

/** Extracts facts up to where the conversation was when the job was created. */
export function factsJob(parts: ModelFactsDeps): JobHandler {
  return async ({ workspace, conversation, body }, { ticket, signal }) => {
    const { store } = parts
    const key = { workspace, conversation }
    const active = await store.findDerivation({ ...key, deriver: MODEL_FACTS })
    const through = Number(body['through'])
    const cursor = active?.cursor ?? 0
    if (through <= cursor) return
    const turns = await readTurns(store, { ...key, after: cursor - 1, before: through })
    const put = await extractWithModel(parts, turns, signal)
    await store.commitDerivation({
      ...key,
      deriver: MODEL_FACTS,
      generation: active?.generation ?? 1,
      revision: active?.revision ?? 0,
      version: parts.model.name,
      cursor: through,
      state: {},
      isActive: true,
      put,
      finishes: ticket,
      now: parts.now(),
    })
  }
}

async function readTurns(
  store: Store,
  range: Parameters<typeof readMessages>[1],
): Promise<readonly ReadTurn[]> {
  const turns: ReadTurn[] = []
  for await (const message of readMessages(store, range)) {
    const { id, role, name, createdAt, position, copyOf } = message
    const text = spokenText(message)
    if (text !== '') turns.push({ id, role, text, createdAt, position, ...definedFields({ name, copyOf }) })
  }
  return turns
}

async function extractWithModel(
  { model, now }: ModelFactsDeps,
  turns: readonly ReadTurn[],
  signal: AbortSignal,
): Promise<readonly DerivedItem[]> {
  const items: DerivedItem[] = []
  for (let at = 0; at < turns.length; at += PORTION) {
    const portion = turns.slice(at, at + PORTION)
    if (portion.every(({ role }) => role !== 'user')) continue
    const request = { turns: portion }
    const answer = await completeObject(model, { messages: buildFactsPrompt(request), signal }, ANSWER)
    const toOwnItem = (fact: ExtractedFact, index: number) =>
      toItem(fact, { index, turns: portion, madeBy: model.name, madeAt: now() })
    items.push(...readFactsAnswer(answer, request).map(toOwnItem))
  }
  return items
}

interface ItemPlace {
  readonly index: number
  readonly turns: readonly ReadTurn[]
  readonly madeBy: string
  readonly madeAt: Date
}

function toItem(fact: ExtractedFact, { index, turns, madeBy, madeAt }: ItemPlace): DerivedItem {
  const position = turns.find(({ id }) => id === fact.messageId)?.position ?? 0
  return {
    kind: EXTRACTED_FACT,
    key: extractedFactKey(position, FIRST_INDEX + index),
    body: toExtractedFactBody(fact),
    sources: [fact.messageId],
    madeBy,
    madeAt,
    tokens: 0,
  }
}
