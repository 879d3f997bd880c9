import { readFold } from '../derive/facts/fact-cache.ts'
import { FACT_EDITS, type FactEditKind, keyOfFields, toFactEditBody } from '../derive/facts/fact-edits.ts'
import { readFacts } from '../derive/facts/read-facts.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import type { Fact, FactKind, FactWithHistory } from '../domain/fact.ts'
import { newId } from '../domain/ids.ts'
import {
  acceptFact,
  acceptFactChanges,
  acceptFactKind,
  acceptMessageIds,
  type FactChanges,
  type NewFact,
} from '../record/accept-fact.ts'
import { acceptConversationId, acceptName } from '../record/accept-id.ts'
import { acceptMoment } from '../record/accept-moment.ts'
import { acceptFlag, acceptObject } from '../record/accept-object.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { NewEdit } from '../store/edits.ts'

/** Which facts to list. */
export interface FactListOptions {
  /** About whom: "user", a speaker's name, somebody they speak of. */
  readonly subject?: string
  readonly attribute?: string
  readonly kind?: FactKind
  /** Only those that something in this conversation says. */
  readonly conversationId?: string
  /** Facts as they were, or will be, at this moment. @default now */
  readonly asOf?: Date | string
  /** Those as well that hold no longer, or not yet. @default false */
  readonly includeClosed?: boolean
  /** @default false */
  readonly includeRejected?: boolean
}

/** What is known, from what people said and from what users gave. */
export interface FactsHandle {
  /** Those that hold, in the order in which they were first said. */
  list(options?: FactListOptions): Promise<readonly Fact[]>
  /** A fact with its history; closed and rejected ones, too. */
  get(id: string): Promise<FactWithHistory | undefined>
  /** It wins over what was said before; what is said later meets it like any other fact. */
  add(fact: NewFact): Promise<FactWithHistory>
  change(id: string, changes: FactChanges): Promise<FactWithHistory>
  /** Keeps it in front. */
  pin(id: string): Promise<FactWithHistory>
  unpin(id: string): Promise<FactWithHistory>
  /** It holds no longer, and does not come back by being said again. */
  reject(id: string): Promise<FactWithHistory>
  restore(id: string): Promise<FactWithHistory>
  /** Takes an edit back as if it had never been made; the history of a fact has the ids. */
  undo(editId: number): Promise<void>
}

const LIST_FIELDS = [
  'subject',
  'attribute',
  'kind',
  'conversationId',
  'asOf',
  'includeClosed',
  'includeRejected',
] as const

export async function listFacts(
  { store, workspace, now, limits }: WorkspaceDeps,
  options: FactListOptions = {},
): Promise<readonly Fact[]> {
  acceptObject(options, { what: 'a list of facts', fields: LIST_FIELDS })
  const { subject, attribute, kind, conversationId, asOf } = options
  const { includeClosed = false, includeRejected = false } = options
  const name = (value: string | undefined, what: string) =>
    value === undefined ? undefined : acceptName(value, { what, most: limits.idCharacters })
  return readFacts(store, workspace, {
    asOf: asOf === undefined ? now() : acceptMoment(asOf, 'asOf'),
    includeClosed: acceptFlag(includeClosed, 'includeClosed'),
    includeRejected: acceptFlag(includeRejected, 'includeRejected'),
    ...definedFields({ subject: name(subject, 'the subject of a fact') }),
    ...definedFields({ attribute: name(attribute, 'the attribute of a fact') }),
    ...(kind !== undefined && { kinds: [acceptFactKind(kind)] }),
    ...(conversationId !== undefined && { conversation: acceptConversationId(conversationId, limits) }),
  })
}

export function openFacts(recorder: WorkspaceDeps): FactsHandle {
  const mark = (kind: FactEditKind, isDone: (fact: Fact) => boolean) => async (id: string) => {
    const fact = await needFact(recorder, id)
    if (isDone(fact)) return fact
    await save(recorder, { kind, key: fact.key, body: toFactEditBody({ factId: id, after: fact.saidAt }) })
    return needFact(recorder, id, fact.key)
  }
  return {
    list: (options) => listFacts(recorder, options),
    get: (id) => findFact(recorder, id),
    add: (fact) => addFact(recorder, fact),
    change: (id, changes) => changeFact(recorder, id, changes),
    pin: mark('fact-pin', ({ pinnedAt }) => pinnedAt !== undefined),
    unpin: mark('fact-unpin', ({ pinnedAt }) => pinnedAt === undefined),
    reject: mark('fact-reject', ({ rejectedAt }) => rejectedAt !== undefined),
    restore: mark('fact-restore', ({ rejectedAt }) => rejectedAt === undefined),
    undo: (editId) => undoEdit(recorder, editId),
  }
}

async function addFact(recorder: WorkspaceDeps, fact: NewFact): Promise<FactWithHistory> {
  const { limits, now } = recorder
  const fields = acceptFact(fact, { limits, now: now() })
  const factId =
    fact.id === undefined
      ? newId(now())
      : acceptName(fact.id, { what: 'the id of a fact', most: limits.idCharacters })
  const there = fact.id === undefined ? undefined : await findFact(recorder, factId)
  if (there !== undefined) return there
  const after = await lastSaid(recorder, fields)
  await save(recorder, {
    kind: 'fact-add',
    key: keyOfFields(fields),
    body: toFactEditBody({ factId, fields, ...definedFields({ after }) }),
    sources: acceptMessageIds(fact.messageIds, limits),
    ...(fact.conversationId !== undefined && {
      conversation: acceptConversationId(fact.conversationId, limits),
    }),
  })
  return needFact(recorder, factId)
}

/** When something was last said that the fact is to win over. */
async function lastSaid(
  { store, workspace, now }: WorkspaceDeps,
  { subject, attribute }: Pick<Fact, 'subject' | 'attribute'>,
): Promise<Date | undefined> {
  const query = { subject, attribute, asOf: now(), includeClosed: true }
  const times = (await readFacts(store, workspace, query)).map(({ saidAt }) => saidAt.getTime())
  return times.length === 0 ? undefined : new Date(times.reduce((last, time) => Math.max(last, time)))
}

async function changeFact(
  recorder: WorkspaceDeps,
  id: string,
  changes: FactChanges,
): Promise<FactWithHistory> {
  const fact = await needFact(recorder, id)
  const fields = acceptFactChanges(changes, fact, recorder.limits)
  await save(recorder, {
    kind: 'fact-change',
    key: fact.key,
    body: toFactEditBody({ factId: id, after: fact.saidAt, fields }),
    // What the user wrote may repeat what the messages said: it is forgotten with them.
    sources: fact.sources,
  })
  return needFact(recorder, id)
}

async function undoEdit({ store, workspace }: WorkspaceDeps, editId: number): Promise<void> {
  const edits = await store.edits({ workspace, kinds: FACT_EDITS })
  const edit = edits.find(({ id }) => id === editId)
  if (edit === undefined) {
    throw new MemoryError('not-found', `there is no edit ${String(editId)} of a fact`, {
      hint: 'the history of a fact has the ids of its edits',
    })
  }
  // Without the addition there is nothing that later edits of it could be about.
  const isOfSame = (body: NewEdit['body']) => edit.kind === 'fact-add' && body['fact'] === edit.body['fact']
  const undone = edits.filter(({ id, body }) => id === editId || isOfSame(body))
  await store.deleteEdits(
    workspace,
    undone.map(({ id }) => id),
  )
}

async function save({ store, workspace, now }: WorkspaceDeps, edit: NewEdit): Promise<void> {
  await store.saveEdit(workspace, edit, { now: now() })
}

async function findFact(
  { store, workspace }: WorkspaceDeps,
  id: string,
): Promise<FactWithHistory | undefined> {
  return (await readFold(store, workspace)).find(id)
}

/** By its id, or by its key where a rejection made one of several facts. */
async function needFact(
  { store, workspace }: WorkspaceDeps,
  id: string,
  key?: string,
): Promise<FactWithHistory> {
  const fold = await readFold(store, workspace)
  const fact = fold.find(id) ?? fold.find(fold.facts.find((one) => one.key === key)?.id ?? '')
  if (fact !== undefined) return fact
  throw new MemoryError('not-found', `there is no fact "${id}"`, {
    hint: 'list facts, with includeClosed and includeRejected for all of them',
  })
}
