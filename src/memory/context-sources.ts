// The sources of a context other than the conversation itself.

import type { ContextSources } from '../context/context.ts'
import type { StandingItem, StandingMemory } from '../context/memory/standing.ts'
import { rankLasting } from '../derive/facts/lasting-facts.ts'
import { readFacts } from '../derive/facts/read-facts.ts'
import { readNotes } from '../derive/notes/read-notes.ts'
import { readEarlierSummaries } from '../derive/summaries/rolling-summary.ts'
import { countRecall } from '../derive/topics/read-topics.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { Fact } from '../domain/fact.ts'
import { positionOf } from '../domain/locator.ts'
import { asText } from '../domain/message.ts'
import type { Recalled } from '../domain/recall.ts'
import { SCOPE_PREFERENCE, type Scope, toScope } from '../domain/scope.ts'
import type { ResolvedTopics } from '../options/derive-options.ts'
import type { ResolvedConfig } from '../options/options.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { BLOCK, type MemoryBlock, toBlocks } from './blocks.ts'
import { joinPage, readOpenPage, readPageMaterial } from './page-sources.ts'
import { PREFERENCE } from './preferences.ts'
import type { Recall } from './recall.ts'
import type { QuestionRewriter } from './rewrite-question.ts'

/** How a context searches. */
export type ContextRecall = Pick<Recall, 'recall'> & { readonly rewrite: QuestionRewriter }

export function createContextSources(
  recorder: WorkspaceDeps,
  { notes, summary, topics, history }: ResolvedConfig,
  { recall, rewrite }: ContextRecall,
): ContextSources {
  return {
    standing: (subjects) => readStanding(recorder, subjects),
    page: (id) => readOpenPage(recorder, id),
    pageMaterial: (page, question) => readPageMaterial(recorder, history, { page, question }),
    joinPage: (place) => joinPage(recorder, place),
    earlierSummaries: (key) => readEarlierSummaries(recorder.store, key, summary.everyNMessages),
    notes: ({ workspace, conversation }) =>
      readNotes(recorder.store, {
        workspace,
        conversation,
        expireDays: notes.expireDays,
        now: recorder.now(),
      }),
    standAlone: async (asked) => (await rewrite(asked)).standalone ?? asked.text,
    recall,
    countUse: (items) => countUse(recorder, topics, items),
  }
}

/** Counts a use of each message's topic, once per topic. */
async function countUse(
  { store, workspace, now }: WorkspaceDeps,
  options: ResolvedTopics,
  items: readonly Recalled[],
): Promise<void> {
  const topics = new Map(
    items.flatMap(({ topicId, conversationId }) =>
      topicId === undefined || conversationId === undefined ? [] : [[topicId, conversationId] as const],
    ),
  )
  // Concurrently, so that they share a commit.
  await Promise.all(
    Array.from(topics, async ([topic, conversation]) => {
      const [place] = await store.locate(workspace, [topic])
      if (place === undefined) return
      await countRecall({ store, options, now: now() }, { workspace, conversation }, positionOf(place))
    }),
  )
}

/** Per kind: several times what the memory section of a context holds. A user may have stated thousands. */
const MAX_STANDING_ITEMS = 200

/** What is known about these people, regardless of the question; most important first within each kind. */
async function readStanding(
  recorder: WorkspaceDeps,
  subjects: readonly string[],
): Promise<{ readonly memory: StandingMemory; readonly scope?: Scope }> {
  const { store, workspace, now } = recorder
  const [held, edits] = await Promise.all([
    readFacts(store, workspace, { asOf: now() }),
    store.edits({ workspace, kinds: [PREFERENCE, BLOCK] }),
  ])
  const values = edits.filter(({ kind }) => kind === PREFERENCE)
  const settings = values.filter(({ key }) => key !== SCOPE_PREFERENCE)
  const scope = toScope(values.find(({ key }) => key === SCOPE_PREFERENCE)?.body['value'])
  const about = new Set(subjects.map((subject) => subject.toLowerCase()))
  const facts = held.filter(({ subject }) => about.has(subject.toLowerCase()))
  const loose = facts.filter(({ pinnedAt }) => pinnedAt === undefined)
  const ofKind = (kind: 'fact' | 'preference') => loose.filter((fact) => fact.kind === kind)
  const memory: StandingMemory = {
    wishes: [
      ...loose
        .filter(({ kind, attribute }) => kind === 'instruction' || attribute === 'instruction')
        .slice(-MAX_STANDING_ITEMS)
        .map((fact) => toItem(fact, 'a standing instruction')),
      ...settings.map(
        ({ id, key, body }): StandingItem => ({
          kind: 'preference',
          id: String(id),
          text: `${key}: ${asText(body['value'] ?? null)}`,
          messageIds: [],
          reason: 'set by the application',
        }),
      ),
    ],
    blocks: toBlocks(edits.filter(({ kind }) => kind === BLOCK)).map(toBlockItem),
    pinned: held.filter(({ pinnedAt }) => pinnedAt !== undefined).map((fact) => toItem(fact, 'pinned')),
    facts: rankLasting(ofKind('fact'))
      .slice(0, MAX_STANDING_ITEMS)
      .map((fact) => toItem(fact, 'a fact that lasts')),
    // The latest statements say most about current preferences.
    preferences: ofKind('preference')
      .slice(-MAX_STANDING_ITEMS)
      .toReversed()
      .map((fact) => toItem(fact, 'a preference')),
  }
  return { memory, ...definedFields({ scope }) }
}

const toBlockItem = ({ name, text }: MemoryBlock): StandingItem => ({
  kind: 'block',
  id: name,
  text: `${name}: ${text}`,
  messageIds: [],
  reason: 'a memory block',
})

function toItem(fact: Fact, reason: string): StandingItem {
  const { kind, id, validFrom, sources } = fact
  return {
    kind: kind === 'statement' ? 'fact' : kind,
    id,
    text: describe(fact),
    since: validFrom,
    messageIds: sources,
    reason,
  }
}

/** An instruction is already a sentence; other facts name their subject unless it is the user. */
function describe({ kind, subject, attribute, value }: Fact): string {
  if (kind === 'instruction' || kind === 'statement')
    return subject === 'user' ? value : `${subject}: ${value}`
  return subject === 'user' ? `${attribute}: ${value}` : `${subject}, ${attribute}: ${value}`
}
