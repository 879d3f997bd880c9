// The rolling summary written by a model. The built-in method has already condensed the same turns, so there is
// always a summary; the model's version replaces it for readers when it is done. A failed attempt is retried
// later, and skipped if a later job covers its turns.

import { definedFields } from '../../domain/defined-fields.ts'
import { MemoryError } from '../../domain/errors.ts'
import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import { withoutReplaced } from '../../domain/recollect-metadata.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { LanguageModel } from '../../model/models.ts'
import type { ResolvedSummaries } from '../../options/context-options.ts'
import type { Derivation } from '../../store/derivations.ts'
import type { JobTicket } from '../../store/jobs.ts'
import { readMessages } from '../../store/read-pages.ts'
import type { Store } from '../../store/store.ts'
import type { JobHandler } from '../jobs/run-jobs.ts'
import { MODEL_SUMMARIES, SUMMARIES, WHOLE_CONVERSATION } from './rolled.ts'
import type { Turn } from './summary.ts'
import { type PastText, thinOut } from './summary-history.ts'
import { buildSummaryPrompt, type ModelSummary, readSummaryAnswer } from './summary-prompt.ts'
import { toTurn } from './to-turn.ts'

/** Maximum input per request. Longer input is condensed in several steps. */
const READ_TOKENS = 12_000

export interface ModelSummaryDeps {
  readonly store: Store
  readonly model: LanguageModel
  readonly loadCountTokens: () => Promise<CountTokens>
  readonly options: ResolvedSummaries
  readonly now: () => Date
}

/** What the model has written so far. */
export interface Written {
  readonly through: number
  readonly text?: string
  /** This summary and earlier ones; see summary-history.ts. */
  readonly past?: readonly PastText[]
}

/** Brings the model's summary up to the position of the built-in one. */
export function summaryJob(parts: ModelSummaryDeps): JobHandler {
  return async (job, { ticket, signal }) => {
    const { store } = parts
    const [builtIn, active] = [
      await store.findDerivation({ ...job, deriver: SUMMARIES }),
      await store.findDerivation({ ...job, deriver: MODEL_SUMMARIES }),
    ]
    const through = (builtIn?.state as unknown as Written | undefined)?.through ?? 0
    const written = (active?.state ?? { through: 0 }) as unknown as Written
    if (through <= written.through) return
    const turns = await readTurns(store, job, [written.through, through])
    const countTokens = await parts.loadCountTokens()
    const maxTokens = parts.options.maxTokens
    const request = { turns, previous: written.text, maxTokens, countTokens, signal }
    const summary = await writeSummary(parts.model, request)
    const ids = turns.map(({ id }) => id)
    await keep(parts, job, { summary, through, ids, active, ticket, past: written.past ?? [] })
  }
}

async function readTurns(
  store: Store,
  key: ConversationKey,
  [from, to]: readonly [number, number],
): Promise<readonly Turn[]> {
  const messages: Message[] = []
  const range = { workspace: key.workspace, conversation: key.conversation, after: from - 1, before: to }
  for await (const message of readMessages(store, range)) messages.push(message)
  return withoutReplaced(messages).flatMap(toTurn)
}

interface WriteRequest {
  readonly turns: readonly Turn[]
  readonly previous?: string | undefined
  readonly maxTokens: number
  readonly countTokens: CountTokens
  readonly signal?: AbortSignal
}

/** Asks the model to condense the turns and the previous summary. Throws if its answer is not usable. */
export async function writeSummary(
  model: LanguageModel,
  { turns, previous, maxTokens, countTokens, signal }: WriteRequest,
): Promise<ModelSummary> {
  let summary: ModelSummary = { text: previous ?? '', keyTopics: [], tokens: countTokens(previous ?? '') }
  for (const portion of portions(turns, countTokens)) {
    const request = { turns: portion, maxTokens, ...(summary.text !== '' && { previous: summary.text }) }
    const answer = await model.complete({
      messages: buildSummaryPrompt(request),
      ...definedFields({ signal }),
    })
    const read = readSummaryAnswer(answer, { countTokens, maxTokens })
    if (read === undefined) {
      throw new MemoryError('model-failed', `${model.name} gave no usable summary`, {
        hint: 'the built-in summary stands until it does',
      })
    }
    summary = read
  }
  return summary
}

/** Batches that a model can read at once. Of a turn that is longer than that, only the beginning is used. */
function portions(turns: readonly Turn[], countTokens: CountTokens): readonly (readonly Turn[])[] {
  const stretches: Turn[][] = []
  let room = 0
  for (const turn of turns) {
    const tokens = countTokens(turn.text)
    if (tokens > room || stretches.length === 0) {
      stretches.push([])
      room = READ_TOKENS
    }
    const text = tokens > READ_TOKENS ? turn.text.slice(0, READ_TOKENS) : turn.text
    stretches.at(-1)?.push({ ...turn, text: text.toWellFormed() })
    room -= tokens
  }
  return stretches
}

interface Kept {
  readonly summary: ModelSummary
  readonly through: number
  readonly ids: readonly MessageId[]
  readonly active: Derivation | undefined
  readonly ticket: JobTicket
  readonly past: readonly PastText[]
}

async function keep(
  { store, model, now }: ModelSummaryDeps,
  { workspace, conversation }: ConversationKey,
  { summary, through, ids, active, ticket, past }: Kept,
): Promise<void> {
  const { text, keyTopics, tokens } = summary
  const texts = thinOut([...past, { through, text, number: (past.at(-1)?.number ?? 0) + 1 }])
  const isKept = await store.commitDerivation({
    workspace,
    conversation,
    deriver: MODEL_SUMMARIES,
    generation: active?.generation ?? 1,
    revision: active?.revision ?? 0,
    version: model.name,
    cursor: through,
    state: { through, text, past: texts } as unknown as JsonObject,
    isActive: true,
    put: [
      {
        kind: 'summary',
        key: WHOLE_CONVERSATION,
        body: { text, keyTopics, through } as JsonObject,
        sources: ids,
        madeBy: model.name,
        madeAt: now(),
        tokens,
      },
    ],
    finishes: ticket,
    now: now(),
  })
  // If text was erased, its jobs are deleted with it; otherwise the job is retried.
  if (!isKept) throw new MemoryError('store-busy', 'the conversation was condensed by another process')
}
