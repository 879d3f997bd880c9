// Stored messages → topics, entities, statements. Runs after a message is durable and independently of it: if
// anything fails here, the message is kept, and the next run continues from the cursor.
//
//   append ─▶ catchUp ─▶ read the messages after the cursor ─▶ one commit: all changes and the new cursor
//
// 1. A conversation is read in order. A queue ensures this within a process, the revision across processes. If
//    another process committed first, this commit is discarded and reading resumes from what the other wrote.
// 2. A crash between two steps repeats work. It neither loses nor duplicates any, since the cursor and the
//    results are written together.
// 3. Reading from scratch (new rules, `rebuild`) writes to a new generation next to the active one and replaces
//    it after catching up.
// 4. A conversation with memory off is not read.

import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import type { ConversationKey } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Message } from '../domain/message.ts'
import type { CountTokens } from '../domain/tokens.ts'
import type { Embedder } from '../model/models.ts'
import { type Derivation, READER } from '../store/derivations.ts'
import type { Edit } from '../store/edits.ts'
import type { NewJob } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { ConversationReader, emptyReaderState } from './reading/conversation-reader.ts'
import { countItem, READER_VERSION } from './reading/items.ts'
import { readReaderJson, toReaderJson } from './reading/reader-json.ts'
import type { AssignerOptions } from './reading/topic-assigner.ts'
import { membersOf } from './reading/topic-members.ts'
import { spokenText } from './spoken-text.ts'
import { applyTopicEdit, TOPIC_STRUCTURE_EDITS } from './topics/apply-topic-edit.ts'

/** Messages per commit: a few tens of milliseconds of work. */
const PORTION = 200
/** Losing the race this often is a bug, not bad luck. */
const MOST_ATTEMPTS = 50

/** Below this many messages, the title made of the first one is kept; from the second number on, the title stays. */
const TITLED_FROM = 6
const TITLED_UNTIL = 60

export interface ReaderDeps {
  readonly store: Store
  readonly embedder: Embedder
  readonly options: AssignerOptions
  readonly loadCountTokens: () => Promise<CountTokens>
  /** Jobs to add when new messages are read. */
  readonly jobsForMessages: readonly NewJob[]
  readonly now: () => Date
}

/** A reader and its position. */
export interface ReaderProgress {
  readonly reader: ConversationReader
  readonly generation: number
  readonly isActive: boolean
  readonly revision: number
  readonly cursor: number
  /** Id of the last edit that was applied. */
  readonly edit: number
  /** Version of the workspace's edits when no edit was left to apply. */
  readonly editsVersion?: string
  /** Changes when any of the text that was read is erased. */
  readonly erasureVersion: string
}

/** The result of one commit. */
export interface ReadBatch {
  readonly reading: ReaderProgress
  /** Positions of messages to compress. */
  readonly compress: readonly number[]
}

interface WhichReading {
  /** @default the active generation */
  readonly generation?: number
  /** The progress of this process before another process read further. */
  readonly before?: ReaderProgress
}

/** The stored reader of a conversation; undefined if it was written by another version of the rules. */
export async function openReader(
  parts: ReaderDeps,
  key: ConversationKey,
  { generation, before }: WhichReading = {},
): Promise<ReaderProgress | undefined> {
  const { store, options } = parts
  const erasureVersion = await store.erasureVersion(key.workspace)
  const found = await store.findDerivation({ ...key, deriver: READER }, generation)
  if (found === undefined) {
    const reader = new ConversationReader(emptyReaderState(), options)
    const isActive = generation === undefined
    return { reader, generation: generation ?? 1, isActive, revision: 0, cursor: 0, edit: 0, erasureVersion }
  }
  if (found.version !== READER_VERSION) return undefined
  const reading = await resume(parts, key, { found, erasureVersion })
  // No edit was left after an earlier one than this, so none is left after this one either.
  const isAsFar = before?.editsVersion !== undefined && reading.edit >= before.edit
  return isAsFar ? { ...reading, editsVersion: before.editsVersion } : reading
}

/** Whether another process wrote messages in between. That process has read them, or is about to. */
export function isBehind({ cursor }: ReaderProgress, appended: readonly Message[]): boolean {
  return cursor < (appended[0]?.position ?? 0)
}

async function resume(
  { store, options }: ReaderDeps,
  key: ConversationKey,
  { found, erasureVersion }: { readonly found: Derivation; readonly erasureVersion: string },
): Promise<ReaderProgress> {
  const { generation, revision, cursor, isActive } = found
  const state = found.state as { readonly reader: JsonObject; readonly edit: number }
  const items = (kind: 'topic' | 'entity') =>
    store.derivedItems({ ...key, deriver: READER, kind, generation, withVectors: true })
  const [topics, entities] = await Promise.all([items('topic'), items('entity')])
  const reader = new ConversationReader(readReaderJson(state.reader, { topics, entities }), options)
  return { reader, generation, isActive, revision, cursor, edit: state.edit, erasureVersion }
}

/** Reads the next batch; undefined when nothing is left to read. */
export async function readNextBatch(
  parts: ReaderDeps,
  key: ConversationKey,
  { reading, appended = [] }: { readonly reading: ReaderProgress; readonly appended?: readonly Message[] },
): Promise<ReadBatch | 'outrun' | undefined> {
  const { store } = parts
  const editsVersion = await store.editsVersion(key.workspace)
  const edit = editsVersion === reading.editsVersion ? undefined : await findNextEdit(store, key, reading)
  if (edit !== undefined && edit.position <= reading.cursor) return takeEdit(parts, key, { reading, edit })
  const atHand = messagesFrom(appended, reading.cursor)
  const unread =
    atHand.length > 0 ? atHand : await store.messages({ ...key, after: reading.cursor - 1, limit: PORTION })
  // An edit applies at the length that the conversation had when the edit was made.
  const messages = edit === undefined ? unread : unread.filter(({ position }) => position < edit.position)
  if (messages.length === 0) return undefined
  const read = edit === undefined ? { ...reading, editsVersion } : reading
  return takeMessages(parts, key, { reading: read, messages })
}

async function findNextEdit(
  store: Store,
  key: ConversationKey,
  { edit }: ReaderProgress,
): Promise<Edit | undefined> {
  const kinds = TOPIC_STRUCTURE_EDITS
  const [next] = await store.edits({ ...key, kinds, after: edit, limit: 1 })
  return next
}

/** The appended messages from the cursor on; none unless they are contiguous. */
function messagesFrom(appended: readonly Message[], cursor: number): readonly Message[] {
  const [first, last] = [appended[0]?.position ?? 0, appended.at(-1)?.position ?? 0]
  if (last - first !== appended.length - 1 || cursor < first) return []
  return appended.slice(cursor - first, cursor - first + PORTION)
}

async function takeMessages(
  parts: ReaderDeps,
  key: ConversationKey,
  { reading, messages }: { readonly reading: ReaderProgress; readonly messages: readonly Message[] },
): Promise<ReadBatch | 'outrun'> {
  for (const message of messages) {
    const text = spokenText(message)
    const [vector] = await parts.embedder.embed([text])
    reading.reader.take(message, text, vector as Float32Array)
  }
  const cursor = reading.cursor + messages.length
  const isRenewed = cursor >= TITLED_FROM && reading.cursor < TITLED_UNTIL
  const title = isRenewed ? reading.reader.title : undefined
  return commit(parts, key, { reading: { ...reading, cursor }, ...definedFields({ title }) })
}

async function takeEdit(
  parts: ReaderDeps,
  key: ConversationKey,
  { reading, edit }: { readonly reading: ReaderProgress; readonly edit: Edit },
): Promise<ReadBatch | 'outrun'> {
  await applyTopicEdit(reading.reader, edit, membersOf(parts, key, reading.generation))
  return commit(parts, key, { reading: { ...reading, edit: edit.id } })
}

async function commit(
  { store, jobsForMessages, loadCountTokens, now }: ReaderDeps,
  key: ConversationKey,
  { reading, title }: { readonly reading: ReaderProgress; readonly title?: string },
): Promise<ReadBatch | 'outrun'> {
  const { reader, generation, isActive, revision, cursor, edit, erasureVersion } = reading
  const countTokens = await loadCountTokens()
  const { compress, put, ...changes } = reader.flush(now())
  const isWritten = await store.commitDerivation({
    ...key,
    ...changes,
    put: put.map((item) => countItem(item, countTokens)),
    deriver: READER,
    generation,
    version: READER_VERSION,
    isActive,
    revision,
    erasureVersion,
    cursor,
    state: { reader: toReaderJson(reader.state), edit },
    jobs: jobsForMessages,
    ...definedFields({ title }),
    now: now(),
  })
  return isWritten ? { reading: { ...reading, revision: revision + 1 }, compress } : 'outrun'
}

/** Reads a conversation to its end. */
export async function readToEnd(
  parts: ReaderDeps,
  key: ConversationKey,
  start: {
    readonly reading: ReaderProgress
    readonly appended?: readonly Message[]
    /** Number of messages known to be stored. Later ones are read by their writer. @default reads to the end */
    readonly through?: number
  },
): Promise<ReadBatch> {
  let { reading } = start
  const compress: number[] = []
  for (let outrun = 0; outrun < MOST_ATTEMPTS; ) {
    if (start.through !== undefined && reading.cursor >= start.through) return { reading, compress }
    const portion = await readNextBatch(parts, key, { ...start, reading })
    if (portion === undefined) return { reading, compress }
    if (portion === 'outrun') {
      outrun += 1
      reading = await openAgain(parts, key, reading)
    } else {
      compress.push(...portion.compress)
      reading = portion.reading
    }
  }
  throw new MemoryError('store-busy', `"${key.conversation}" is always read by another process first`, {
    hint: 'the messages are kept; they are read when the conversation is used next',
  })
}

async function openAgain(
  parts: ReaderDeps,
  key: ConversationKey,
  before: ReaderProgress,
): Promise<ReaderProgress> {
  const reading = await openReader(parts, key, { before })
  if (reading !== undefined) return reading
  throw new MemoryError('store-busy', `"${key.conversation}" is read by other rules by another process`, {
    hint: 'the messages are kept; let all servers be of one version',
  })
}

/** Reads a conversation from its first message into a new generation, which then replaces all others. */
export async function rebuildConversation(
  parts: ReaderDeps,
  key: ConversationKey,
  onRead: (messages: number) => void,
): Promise<ReadBatch> {
  const generations = await parts.store.derivations({ ...key, deriver: READER })
  const generation = (generations.at(-1)?.generation ?? 0) + 1
  let reading = await openReader(parts, key, { generation })
  if (reading === undefined) throw outrunError(key)
  const compress: number[] = []
  for (;;) {
    const portion = await readNextBatch(parts, key, { reading })
    if (portion === 'outrun') throw outrunError(key)
    if (portion === undefined) break
    compress.push(...portion.compress)
    reading = portion.reading
    onRead(reading.cursor)
  }
  if (reading.revision === 0) return { reading, compress }
  const swapped = await commit(parts, key, { reading: { ...reading, isActive: true } })
  if (swapped === 'outrun') throw outrunError(key)
  return { ...swapped, compress }
}

function outrunError({ conversation }: ConversationKey): MemoryError {
  return new MemoryError('store-busy', `"${conversation}" is being rebuilt by another process`, {
    hint: 'the messages are kept; try again when the other is done',
  })
}
