// The rolling summary of a conversation, updated as it grows: after a number of messages, or when the messages
// outside the summary exceed their share of the window, the earlier turns are condensed together with the summary
// so far. When this happens depends only on the messages, so a rebuild gives the same summaries.

import type { ConversationKey } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import { withoutReplaced } from '../../domain/recollect-metadata.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { DerivedItem } from '../../store/derivations.ts'
import type { NewJob } from '../../store/jobs.ts'
import { readMessages } from '../../store/read-pages.ts'
import type { Store } from '../../store/store.ts'
import { extractSummary } from './extract-summary.ts'
import {
  findDue,
  NOTHING_ROLLED,
  type Rolled,
  SUMMARIES,
  SUMMARIES_VERSION,
  WHOLE_CONVERSATION,
  type WhenToRoll,
} from './rolled.ts'
import { addRoll } from './summary-history.ts'
import { toTurn } from './to-turn.ts'

/** Limits how much work is repeated after a crash. */
const ROLLS_PER_COMMIT = 50
/** A roll keeps about a quarter of a dozen messages; sentences beyond this number would not be kept. */
const MOST_SENTENCES = 24

export interface RollingDeps extends WhenToRoll {
  readonly store: Store
  readonly countTokens: CountTokens
  /** Jobs to add for each new summary, since a model may write a better one. */
  readonly jobsFor: (through: number) => readonly NewJob[]
  readonly now: () => Date
}

interface OpenRoll {
  readonly erasureVersion: string
  readonly generation: number
  readonly revision: number
  readonly rolled: Rolled
}

/** Condenses what is due. `isAnew` starts from the first message, in a new generation next to the active one. */
export async function rollToEnd(
  parts: RollingDeps,
  key: ConversationKey,
  { isAnew }: { readonly isAnew: boolean },
): Promise<Rolled> {
  const open = await openRoll(parts.store, key, isAnew)
  const roller = new Roller(parts, open.rolled)
  let { revision } = open
  for await (const message of readMessages(parts.store, { ...key, after: open.rolled.through - 1 })) {
    roller.take(message)
    if (roller.waiting < ROLLS_PER_COMMIT) continue
    if (!(await commit(parts, key, { ...open, revision, roller, isActive: !isAnew }))) return roller.rolled
    revision += 1
  }
  const isLeft = roller.waiting > 0 || (isAnew && revision > 0)
  if (isLeft) await commit(parts, key, { ...open, revision, roller, isActive: true })
  else if (isAnew) await parts.store.dropDerivation({ ...key, deriver: SUMMARIES })
  return roller.rolled
}

async function openRoll(store: Store, key: ConversationKey, isAnew: boolean): Promise<OpenRoll> {
  const erasureVersion = await store.erasureVersion(key.workspace)
  const generations = await store.derivations({ ...key, deriver: SUMMARIES })
  const active = generations.find(({ isActive }) => isActive)
  if (isAnew || active === undefined) {
    const last = generations.at(-1)?.generation ?? 0
    return { erasureVersion, generation: last + 1, revision: 0, rolled: NOTHING_ROLLED }
  }
  const { generation, revision } = active
  return { erasureVersion, generation, revision, rolled: active.state as unknown as Rolled }
}

/** Takes messages one by one and condenses when it is due. */
class Roller {
  rolled: Rolled
  /** Rolls since the last commit. */
  waiting = 0
  readonly #parts: RollingDeps
  #tail: Message[] = []

  constructor(parts: RollingDeps, rolled: Rolled) {
    this.#parts = parts
    this.rolled = rolled
  }

  take(message: Message): void {
    this.#tail.push(message)
    const messageCount = message.position + 1
    // These messages were already considered when the summary was made.
    if (messageCount <= this.rolled.countAt) return
    const tokenCount = message.tokensBefore + message.tokens
    const through = findDue(this.rolled, { messageCount, tokenCount }, this.#parts)
    if (through !== undefined) this.#roll(through, messageCount)
  }

  #roll(through: number, countAt: number): void {
    const turns = withoutReplaced(this.#tail)
      .filter(({ position }) => position < through)
      .flatMap((message) => toTurn(message))
    this.#tail = this.#tail.filter(({ position }) => position >= through)
    const { countTokens, options } = this.#parts
    const previous = this.rolled.summary
    const summary = extractSummary({
      turns,
      countTokens,
      maxTokens: options.maxTokens,
      mostSentences: MOST_SENTENCES,
      ...(previous && { previous }),
    })
    const tokensThrough = this.#tail[0]?.tokensBefore ?? this.rolled.tokensThrough
    const history = addRoll(this.rolled.history ?? [], summary.sentences, through)
    this.rolled = { through, countAt, tokensThrough, summary, history }
    this.waiting += 1
  }
}

interface RollCommit extends OpenRoll {
  readonly roller: Roller
  readonly isActive: boolean
}

async function commit(
  parts: RollingDeps,
  key: ConversationKey,
  { erasureVersion, generation, revision, roller, isActive }: RollCommit,
): Promise<boolean> {
  const { rolled } = roller
  roller.waiting = 0
  return parts.store.commitDerivation({
    ...key,
    deriver: SUMMARIES,
    erasureVersion,
    generation,
    version: SUMMARIES_VERSION,
    revision,
    cursor: rolled.countAt,
    state: rolled as unknown as JsonObject,
    // Switched off, the progress is still kept: a model extracts facts in the same steps.
    put: parts.options.rolling === 'on' ? toItems(rolled, parts.now()) : [],
    jobs: isActive ? parts.jobsFor(rolled.through) : [],
    isActive,
    now: parts.now(),
  })
}

function toItems({ through, summary }: Rolled, madeAt: Date): readonly DerivedItem[] {
  if (summary === undefined) return []
  const { tokens, messageIds, ...rest } = summary
  return [
    {
      kind: 'summary',
      key: WHOLE_CONVERSATION,
      body: { ...rest, through } as unknown as JsonObject,
      sources: messageIds,
      madeBy: SUMMARIES_VERSION,
      madeAt,
      tokens,
    },
  ]
}
