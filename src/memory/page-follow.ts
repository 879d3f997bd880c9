// Keeps the state of a page in step with what happens on it. A file that is uploaded or attached becomes the active file;
// a chat turn is added to the history, and topic, entities and preferences follow the conversation.
//
// Users may change or clear each of these. So the edit that ties a conversation to its page keeps what was filled in
// already, and only what is new since then is filled in: a value that a user removed does not come back by itself.

import type { ChatEvent } from '../chat/chat-event.ts'
import { readEntities } from '../derive/entities/read-entities.ts'
import { readFacts } from '../derive/facts/read-facts.ts'
import { readTopics } from '../derive/topics/read-topics.ts'
import type { Document } from '../domain/document.ts'
import type { ConversationId, ConversationKey, PageId } from '../domain/ids.ts'
import { pageId } from '../domain/ids.ts'
import { withoutInjected } from '../domain/injected.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { type Message, readableText } from '../domain/message.ts'
import { isSaid } from '../domain/recollect-metadata.ts'
import type { ResolvedTopics } from '../options/derive-options.ts'
import { addQuery, mergePage } from '../record/queries/update-page.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { PageChanges } from '../schemas/page.ts'
import { findConversationPages, ON_PAGE } from './page-sources.ts'

/** Where a file was uploaded or attached. */
export interface FilePlace {
  readonly conversation: ConversationId | undefined
  readonly page: PageId | undefined
}

/** Makes a document the active file of a page, or of those on which a conversation is held, or of that with its id. */
export async function openFile(
  deps: WorkspaceDeps,
  { id, name }: Pick<Document, 'id' | 'name'>,
  place: FilePlace,
): Promise<void> {
  for (const page of await findPages(deps, place)) await savePage(deps, page, { activeFile: { id, name } })
}

async function findPages(deps: WorkspaceDeps, { page, conversation }: FilePlace): Promise<readonly PageId[]> {
  if (page !== undefined) return [page]
  if (conversation === undefined) return []
  const pages = await findConversationPages(deps, conversation)
  return pages.length > 0 ? pages : [pageId(conversation)]
}

async function savePage(
  { store, workspace, limits, now }: WorkspaceDeps,
  page: PageId,
  changes: Pick<PageChanges, 'activeFile' | 'currentTopic' | 'entities' | 'preferences'>,
): Promise<void> {
  const rules = { limits, now: now() }
  const accepted = changes as Parameters<typeof mergePage>[1]
  await store.savePage({ workspace, page, change: (current) => mergePage(current, accepted, rules) })
}

export interface PageTurn {
  readonly key: ConversationKey
  /** Missing if the turn names no page; then the page with the id of the conversation counts, if there is one. */
  readonly page: string | undefined
  readonly topics: ResolvedTopics
}

/** Passes on the events of a turn, and brings the page up to date when it ends, however that happens. */
export async function* followTurn(
  deps: WorkspaceDeps,
  turn: PageTurn,
  events: AsyncGenerator<ChatEvent, void>,
): AsyncGenerator<ChatEvent, void> {
  let question: Message | undefined
  let answer: Message | undefined
  try {
    for await (const event of events) {
      if (event.type === 'recorded') question = event.message
      if (event.type === 'answered') {
        answer = event.message
        await finish()
      }
      yield event
    }
  } finally {
    await finish()
  }
  async function finish(): Promise<void> {
    const asked = question
    question = undefined
    if (asked !== undefined) await endTurn(deps, turn, { question: asked, answer })
  }
}

interface Ended {
  readonly question: Message
  readonly answer: Message | undefined
}

async function endTurn(deps: WorkspaceDeps, turn: PageTurn, { question, answer }: Ended): Promise<void> {
  const { store, workspace } = deps
  const page = pageId(turn.page ?? turn.key.conversation)
  if (turn.page === undefined && (await store.findPage({ workspace, page })) === undefined) return
  const query = withoutInjected(readableText(question.content)).trim().slice(0, deps.limits.queryCharacters)
  if (query !== '') {
    const response = answer === undefined || !isSaid(answer) ? undefined : readableText(answer.content)
    await addQuery(
      deps,
      { workspace, page },
      {
        id: question.id,
        query,
        sql: findSql(response),
        results: findRows(response),
        response: shorten(response, deps),
        createdAt: question.createdAt,
      },
    )
  }
  await followConversation(deps, turn, page)
}

const shorten = (response: string | undefined, { limits }: WorkspaceDeps): string | null =>
  response === undefined || response.trim() === '' ? null : response.slice(0, limits.responseCharacters)

const SQL_BLOCK = /```sql\s*\n([\s\S]*?)```/iu

/** The first block of SQL in an answer. */
function findSql(response: string | undefined): string | null {
  const sql = response === undefined ? undefined : SQL_BLOCK.exec(response)?.[1]?.trim()
  return sql === undefined || sql === '' ? null : sql
}

const TABLE = /^\|(.+)\|[ \t]*\n\|[ \t:|-]+\|[ \t]*\n((?:\|.*\|[ \t]*(?:\n|$))+)/mu

/** The rows of the first table in an answer, by column. */
function findRows(response: string | undefined): JsonValue {
  const [, header, body] = TABLE.exec(response ?? '') ?? []
  if (header === undefined || body === undefined) return null
  const names = toCells(header)
  return body
    .trim()
    .split('\n')
    .map((line) => toCells(line.trim().slice(1, -1)))
    .map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])))
}

const toCells = (row: string): readonly string[] => row.split(/(?<!\\)\|/u).map((cell) => cell.trim())

/** More would crowd the context. */
const MAX_ENTITIES = 20
const MAX_PREFERENCES = 20

/** What was filled in from a conversation so far. */
interface Followed {
  readonly topic?: string
  readonly entities?: readonly string[]
  readonly preferences?: readonly string[]
}

async function followConversation(
  deps: WorkspaceDeps,
  { key, topics: options }: PageTurn,
  page: PageId,
): Promise<void> {
  const { store, workspace, now } = deps
  const { conversation } = key
  const [topics, entities, facts, [edit]] = await Promise.all([
    readTopics({ store, options, now: now() }, key),
    readEntities(store, { workspace, conversation }),
    readFacts(store, workspace, { kinds: ['preference'], asOf: now() }),
    store.edits({ workspace, kinds: [ON_PAGE], key: page, conversation }),
  ])
  const before = (edit?.body ?? {}) as Followed
  const topic = topics.find(({ state }) => state === 'current')?.title
  const known = entities.slice(0, MAX_ENTITIES).map(({ name, type }) => [name, type] as const)
  const stated = facts
    .filter(({ conversationIds }) => conversationIds.includes(conversation))
    .slice(-MAX_PREFERENCES)
    .map(({ attribute, value }) => [attribute, value] as const)
  const isNew = (list: readonly string[] | undefined, one: readonly [string, string]) =>
    !list?.includes(one.join(': '))
  const changes = {
    ...(topic !== undefined && topic !== before.topic && { currentTopic: topic }),
    ...toChange(
      'entities',
      known.filter((one) => isNew(before.entities, one)),
    ),
    ...toChange(
      'preferences',
      stated.filter((one) => isNew(before.preferences, one)),
    ),
  }
  if (edit !== undefined && Object.keys(changes).length === 0) return
  await savePage(deps, page, changes)
  const names = (list: readonly (readonly [string, string])[], old: readonly string[] = []) => [
    ...new Set([...old, ...list.map((one) => one.join(': '))]),
  ]
  const body: JsonObject = {
    ...(topic !== undefined && { topic }),
    entities: names(known, before.entities),
    preferences: names(stated, before.preferences),
  }
  await store.saveEdit(
    workspace,
    { kind: ON_PAGE, key: page, body, conversation },
    { now: now(), replace: true },
  )
}

const toChange = (
  name: 'entities' | 'preferences',
  list: readonly (readonly [string, string])[],
): Pick<PageChanges, 'entities' | 'preferences'> =>
  list.length === 0 ? {} : { [name]: Object.fromEntries(list) }
