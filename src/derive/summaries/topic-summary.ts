// The summary of a topic, updated on request. Messages that were already condensed are not read again as long as
// the topic still begins with the same messages.

import { Digest } from '../../domain/digest.ts'
import { isMemoryError } from '../../domain/errors.ts'
import type { ConversationKey, MessageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { LanguageModel } from '../../model/models.ts'
import type { ResolvedSummaries } from '../../options/context-options.ts'
import type { Store } from '../../store/store.ts'
import { extractSummary } from './extract-summary.ts'
import { writeSummary } from './model-summary.ts'
import { SUMMARIES_VERSION } from './rolled.ts'
import type { Summary } from './summary.ts'
import { toTurn } from './to-turn.ts'

const TOPIC_SUMMARIES = 'topic-summaries'

export interface TopicSummaryDeps {
  readonly store: Store
  readonly countTokens: CountTokens
  readonly options: ResolvedSummaries
  readonly model: LanguageModel | undefined
  readonly now: Date
}

interface Condensed {
  /** Number of condensed messages of the topic, from the first. */
  readonly count: number
  readonly digest: string
  readonly summary?: Summary
}

/** The model or built-in version. */
interface MadeBy {
  readonly madeBy: string
}

const NOTHING: Condensed = { count: 0, digest: '' }

export interface TopicToSummarize {
  readonly id: MessageId
  readonly messages: readonly Message[]
  /** The version before the messages were read. */
  readonly erasureVersion: string
}

/** A summary of all messages of a topic. If the model fails, sentences are taken from the messages. */
export async function summarizeTopic(
  parts: TopicSummaryDeps,
  key: ConversationKey,
  topic: TopicToSummarize,
): Promise<Summary> {
  if (parts.model === undefined) return extract(parts, key, topic)
  try {
    return await write(parts, key, { ...topic, model: parts.model })
  } catch (error) {
    if (isMemoryError(error)) return extract(parts, key, topic)
    throw error
  }
}

/** Written once for the same messages. */
async function write(
  parts: TopicSummaryDeps,
  key: ConversationKey,
  { id, messages, erasureVersion, model }: TopicToSummarize & { readonly model: LanguageModel },
): Promise<Summary> {
  const before = await findCondensed(parts.store, key, { id, messages, madeBy: model.name })
  if (before.summary !== undefined && before.count === messages.length) return before.summary
  const turns = messages.flatMap(toTurn)
  const { countTokens, options } = parts
  const written = await writeSummary(model, { turns, maxTokens: options.maxTokens, countTokens })
  const summary = { ...written, messageIds: turns.map((turn) => turn.id), sentences: [] }
  const condensed = { count: messages.length, digest: digestOf(messages, messages.length), summary }
  await keep(parts, key, { id, condensed, erasureVersion, madeBy: model.name })
  return summary
}

async function extract(
  parts: TopicSummaryDeps,
  key: ConversationKey,
  { id, messages, erasureVersion }: TopicToSummarize,
): Promise<Summary> {
  const { countTokens, options } = parts
  const before = await findCondensed(parts.store, key, { id, messages, madeBy: SUMMARIES_VERSION })
  const after = condense(before, messages, parts)
  if (after !== before)
    await keep(parts, key, { id, condensed: after, erasureVersion, madeBy: SUMMARIES_VERSION })
  return extractSummary({
    turns: messages.slice(after.count).flatMap(toTurn),
    countTokens,
    maxTokens: options.maxTokens,
    ...(after.summary && { previous: after.summary }),
  })
}

/** Condenses in fixed steps, so that the result does not depend on when it was requested. */
function condense(
  before: Condensed,
  messages: readonly Message[],
  { countTokens, options }: TopicSummaryDeps,
): Condensed {
  let condensed = before
  const step = options.everyNMessages
  while (messages.length - options.keepMessages >= condensed.count + step) {
    const count = condensed.count + step
    const summary = extractSummary({
      turns: messages.slice(condensed.count, count).flatMap(toTurn),
      countTokens,
      maxTokens: options.maxTokens,
      ...(condensed.summary && { previous: condensed.summary }),
    })
    condensed = { count, digest: digestOf(messages, count), summary }
  }
  return condensed
}

async function findCondensed(
  store: Store,
  key: ConversationKey,
  { id, messages, madeBy }: Pick<TopicToSummarize, 'id' | 'messages'> & MadeBy,
): Promise<Condensed> {
  const list = { ...key, deriver: TOPIC_SUMMARIES, kind: 'summary', key: id } as const
  const [item] = await store.derivedItems(list)
  if (item === undefined || item.madeBy !== madeBy) return NOTHING
  const condensed = item.body as unknown as Condensed
  return condensed.digest === digestOf(messages, condensed.count) ? condensed : NOTHING
}

function digestOf(messages: readonly Message[], count: number): string {
  const digest = new Digest()
  for (const { id } of messages.slice(0, count)) digest.add(id)
  return digest.toString()
}

async function keep(
  { store, now }: TopicSummaryDeps,
  key: ConversationKey,
  {
    id,
    condensed,
    erasureVersion,
    madeBy,
  }: Pick<TopicToSummarize, 'id' | 'erasureVersion'> & MadeBy & { readonly condensed: Condensed },
): Promise<void> {
  const derivation = { ...key, deriver: TOPIC_SUMMARIES }
  const active = await store.findDerivation(derivation)
  // If another process was faster, its summary is just as good.
  await store.commitDerivation({
    ...derivation,
    erasureVersion,
    generation: active?.generation ?? 1,
    revision: active?.revision ?? 0,
    version: SUMMARIES_VERSION,
    cursor: 0,
    state: {},
    isActive: true,
    put: [
      {
        kind: 'summary',
        key: id,
        body: condensed as unknown as JsonObject,
        sources: condensed.summary?.messageIds ?? [],
        madeBy,
        madeAt: now,
        tokens: condensed.summary?.tokens ?? 0,
      },
    ],
    now,
  })
}
