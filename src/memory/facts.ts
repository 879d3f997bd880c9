import { readFold } from '../derive/facts/fact-cache.ts'
import { FACT_EDITS, type FactEditKind, keyOfFields, toFactEditBody } from '../derive/facts/fact-edits.ts'
import { readFacts } from '../derive/facts/read-facts.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { Digest } from '../domain/digest.ts'
import { MemoryError } from '../domain/errors.ts'
import type { Fact, FactKind, FactWithHistory } from '../domain/fact.ts'
import { type ConversationId, newId } from '../domain/ids.ts'
import { acceptConversationId, acceptFlag, acceptMoment, acceptName, acceptObject } from '../record/accept.ts'
import {
  acceptFact,
  acceptFactChanges,
  acceptFactKind,
  acceptMessageIds,
} from '../record/accept-knowledge.ts'
import type { ImportTarget } from '../record/import/import-foreign.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { FactChanges, NewFact } from '../schemas/knowledge.ts'
import type { NewEdit } from '../store/edits.ts'
import { readEdits } from '../store/read-pages.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'

/** Which facts to list. */
export interface FactListOptions extends PageOptions {
  /** About whom: "user", a speaker's name, or a person they mention. */
  readonly subject?: string
  readonly attribute?: string
  readonly kind?: FactKind
  /** Only facts stated in this conversation. */
  readonly conversationId?: string
  /** Facts as of this time, past or future. @default now */
  readonly asOf?: Date | string
  /** Includes facts that no longer hold, or do not hold yet. @default false */
  readonly includeClosed?: boolean
  /** @default false */
  readonly includeRejected?: boolean
}

/**
 * What is known about people and things, from messages and from your application: `memory.facts`.
 *
 * @example
 * const fact = await memory.facts.add({ attribute: 'diet', value: 'vegetarian' })
 * await memory.facts.update(fact.id, { value: 'vegan' })
 * await memory.facts.pin(fact.id)
 * const { items } = await memory.facts.list({ subject: 'user' })
 */
export interface Facts {
  /** Current facts, in the order in which they were first stated. */
  list(options?: FactListOptions): PaginatedList<Fact>
  /** A fact with its history; closed and deleted ones, too. */
  get(id: string): Promise<FactWithHistory | undefined>
  /** Replaces an earlier value of the same attribute. A later message can replace it in turn. */
  add(fact: NewFact): Promise<FactWithHistory>
  update(id: string, changes: FactChanges): Promise<FactWithHistory>
  /** Adds it to every context of the workspace. */
  pin(id: string): Promise<FactWithHistory>
  unpin(id: string): Promise<FactWithHistory>
  /** Rejects a fact: it no longer counts, even if a message states it again. `restore` undoes this. */
  delete(id: string): Promise<FactWithHistory>
  restore(id: string): Promise<FactWithHistory>
  /** Reverts one edit as if it had never been made; the history of a fact has the ids. */
  undo(editId: number): Promise<void>
}

/** Facts that messages of one conversation state: `trip.facts`. */
export interface ConversationFacts {
  list(options?: Omit<FactListOptions, 'conversationId'>): PaginatedList<Fact>
}

const LIST_FIELDS = [
  'subject',
  'attribute',
  'kind',
  'conversationId',
  'asOf',
  'includeClosed',
  'includeRejected',
  'limit',
  'cursor',
] as const

const listFacts = (deps: WorkspaceDeps, options: FactListOptions = {}): PaginatedList<Fact> =>
  paginateArray(
    () => readAll(deps, options),
    options,
    ({ id }) => id,
  )

async function readAll(
  { store, workspace, now, limits }: WorkspaceDeps,
  options: FactListOptions,
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

export const createConversationFacts = (deps: WorkspaceDeps, id: ConversationId): ConversationFacts => ({
  list: (options) => listFacts(deps, { ...options, conversationId: id }),
})

export function createFacts(deps: WorkspaceDeps): Facts {
  const mark = (kind: FactEditKind, isDone: (fact: Fact) => boolean) => async (id: string) => {
    const fact = await needFact(deps, id)
    if (isDone(fact)) return fact
    await save(deps, { kind, key: fact.key, body: toFactEditBody({ factId: id, after: fact.saidAt }) })
    return needFact(deps, id, fact.key)
  }
  return {
    list: (options) => listFacts(deps, options),
    get: (id) => findFact(deps, id),
    add: (fact) => addFact(deps, fact),
    update: (id, changes) => updateFact(deps, id, changes),
    pin: mark('fact-pin', ({ pinnedAt }) => pinnedAt !== undefined),
    unpin: mark('fact-unpin', ({ pinnedAt }) => pinnedAt === undefined),
    delete: mark('fact-reject', ({ rejectedAt }) => rejectedAt !== undefined),
    restore: mark('fact-restore', ({ rejectedAt }) => rejectedAt === undefined),
    undo: (editId) => undoEdit(deps, editId),
  }
}

async function addFact(deps: WorkspaceDeps, fact: NewFact): Promise<FactWithHistory> {
  const { limits, now } = deps
  const fields = acceptFact(fact, { limits, now: now() })
  const factId =
    fact.id === undefined
      ? newId(now())
      : acceptName(fact.id, { what: 'the id of a fact', most: limits.idCharacters })
  const there = fact.id === undefined ? undefined : await findFact(deps, factId)
  if (there !== undefined) return there
  const after = await lastSaid(deps, fields)
  await save(deps, {
    kind: 'fact-add',
    key: keyOfFields(fields),
    body: toFactEditBody({ factId, fields, ...definedFields({ after }) }),
    sources: acceptMessageIds(fact.messageIds, limits),
    ...(fact.conversationId !== undefined && {
      conversation: acceptConversationId(fact.conversationId, limits),
    }),
  })
  return needFact(deps, factId)
}

/** The time of the last statement that the new fact has to supersede. */
async function lastSaid(
  { store, workspace, now }: WorkspaceDeps,
  { subject, attribute }: Pick<Fact, 'subject' | 'attribute'>,
): Promise<Date | undefined> {
  const query = { subject, attribute, asOf: now(), includeClosed: true }
  const times = (await readFacts(store, workspace, query)).map(({ saidAt }) => saidAt.getTime())
  return times.length === 0 ? undefined : new Date(times.reduce((last, time) => Math.max(last, time)))
}

async function updateFact(deps: WorkspaceDeps, id: string, changes: FactChanges): Promise<FactWithHistory> {
  const fact = await needFact(deps, id)
  const fields = acceptFactChanges(changes, fact, deps.limits)
  await save(deps, {
    kind: 'fact-change',
    key: fact.key,
    body: toFactEditBody({ factId: id, after: fact.saidAt, fields }),
    // The user's edit may repeat text of the messages: it is erased with them.
    sources: fact.sources,
  })
  return needFact(deps, id)
}

async function undoEdit({ store, workspace }: WorkspaceDeps, editId: number): Promise<void> {
  const edits = await store.edits({ workspace, kinds: FACT_EDITS })
  const edit = edits.find(({ id }) => id === editId)
  if (edit === undefined) {
    throw new MemoryError('not-found', `there is no edit ${String(editId)} of a fact`, {
      hint: 'the history of a fact has the ids of its edits',
    })
  }
  // Undoing the addition also removes later edits of the same fact.
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

/** By its id, or by its key if a rejection merged several facts. */
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

interface Kept {
  readonly key: string
  /** Digests of all texts it was imported with. */
  readonly said: Set<string>
}

/** The attribute of imported statements: the text itself says what it is about. */
const ATTRIBUTE = 'memory'

/**
 * Stores statements of another memory as given facts, under their original ids. A statement imported before
 * with the same text is skipped, even if it was changed here since; one with a different text is updated.
 */
export function keepForeignFacts(recorder: WorkspaceDeps): ImportTarget['keepFact'] {
  const { store, workspace, limits, now } = recorder
  let loading: Promise<Map<string, Kept>> | undefined
  return async ({ id: factId, text, kind: factKind, createdAt = now(), validUntil }, { isDryRun }) => {
    loading ??= readKept(recorder)
    const known = await loading
    const said = new Digest().add(text).toString()
    const before = known.get(factId)
    if (before?.said.has(said) === true) return 'known'
    const moment = new Date(Math.min(createdAt.getTime(), now().getTime()))
    const isLimited = validUntil !== undefined && validUntil > moment
    const fact = {
      attribute: ATTRIBUTE,
      ...definedFields({ kind: factKind }),
      value: text.replaceAll(/\p{Cc}+/gu, ' ').toWellFormed(),
    }
    const fields = acceptFact(
      { ...fact, validFrom: moment, ...(isLimited && { validUntil }) },
      { limits, now: now() },
    )
    const key = before?.key ?? keyOfFields(fields)
    known.set(factId, { key, said: new Set([...(before?.said ?? []), said]) })
    const kind = before === undefined ? 'fact-add' : 'fact-change'
    const body = { ...toFactEditBody({ factId, fields }), said }
    if (!isDryRun) await store.saveEdit(workspace, { kind, key, body }, { now: moment })
    return 'new'
  }
}

async function readKept({ store, workspace }: WorkspaceDeps): Promise<Map<string, Kept>> {
  const known = new Map<string, Kept>()
  for await (const { key, body } of readEdits(store, { workspace, kinds: ['fact-add', 'fact-change'] })) {
    const { fact, said } = body
    if (typeof fact !== 'string' || typeof said !== 'string') continue
    const kept = known.get(fact) ?? { key, said: new Set() }
    kept.said.add(said)
    known.set(fact, kept)
  }
  return known
}
