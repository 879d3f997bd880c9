import type { Conversation } from '../../domain/conversation.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Document } from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import { type ConversationId, pageId, type WorkspaceId } from '../../domain/ids.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { asText, type Message, type Part, partsOf } from '../../domain/message.ts'
import type { PageState, Query } from '../../domain/page.ts'
import { readConversations, readDocuments, readEdits, readMessages } from '../../store/read-pages.ts'
import type { OnProgress, Store } from '../../store/store.ts'
import { readPageStates, readQueries } from '../queries/read-history.ts'
import { type ExportRequest, exportJson } from './export-json.ts'

export interface ExportOptions {
  /** JSON imports back without loss; Markdown is for reading. @default "json" */
  readonly format?: 'json' | 'markdown'
  /** Exports one conversation with its page and attached documents, or one page. @default everything */
  readonly conversationId?: string
  /** Called with the number of messages written so far. */
  readonly onProgress?: OnProgress
}

interface ExportScope {
  readonly workspace: WorkspaceId
  readonly now: Date
}

/** Chunks of text, in order. Only one page of messages is in memory at any time. */
export async function* exportText(
  store: Store,
  scope: ExportScope,
  options: ExportOptions,
): AsyncGenerator<string> {
  const { format = 'json', conversationId, onProgress } = options
  if (format !== 'json' && format !== 'markdown') {
    throw new MemoryError('invalid-input', `unknown export format "${format}"`, {
      hint: 'use json or markdown',
    })
  }
  const id = conversationId as ConversationId | undefined
  if (id !== undefined) await assertExists(store, scope.workspace, id)
  const chosen = choose(store, scope.workspace, id)
  const edits = readEdits(store, { workspace: scope.workspace, ...definedFields({ conversation: id }) })
  const onMessage = onProgress && (await countMessages(store, scope.workspace, onProgress))
  const write = format === 'json' ? exportJson : exportMarkdown
  yield* write(store, { ...scope, ...chosen, edits, ...(onMessage && { onMessage }) })
}

interface ExportScopeItems {
  readonly conversations: AsyncIterable<Conversation>
  readonly pages: AsyncIterable<PageState>
  readonly documents: AsyncIterable<Document>
}

function choose(store: Store, workspace: WorkspaceId, id?: ConversationId): ExportScopeItems {
  if (id === undefined) {
    return {
      conversations: readConversations(store, workspace),
      pages: readPageStates(store, { workspace }),
      documents: readDocuments(store, { workspace }),
    }
  }
  const key = { workspace, page: pageId(id) }
  return {
    conversations: ifThere(() => store.findConversation({ workspace, conversation: id })),
    pages: ifThere(() => store.findPage(key)),
    documents: readDocuments(store, { workspace, conversation: id }),
  }
}

/** Checked before the first chunk, because a partial file would look complete. */
async function assertExists(store: Store, workspace: WorkspaceId, id: ConversationId): Promise<void> {
  const [conversation, page] = await Promise.all([
    store.findConversation({ workspace, conversation: id }),
    store.findPage({ workspace, page: pageId(id) }),
  ])
  if (conversation === undefined && page === undefined)
    throw new MemoryError('not-found', `conversation "${id}" not found`)
}

async function* ifThere<Item>(find: () => Promise<Item | undefined>): AsyncGenerator<Item> {
  const item = await find()
  if (item !== undefined) yield item
}

async function countMessages(
  store: Store,
  workspace: WorkspaceId,
  onProgress: OnProgress,
): Promise<() => void> {
  const { messages } = await store.statistics(workspace)
  let done = 0
  return () => onProgress(++done, messages)
}

// The human-readable export: who said what and when, with tool calls and results as code.

export async function* exportMarkdown(store: Store, request: ExportRequest): AsyncGenerator<string> {
  for await (const conversation of request.conversations) {
    yield heading(conversation)
    const key = { workspace: request.workspace, conversation: conversation.id }
    for await (const message of readMessages(store, key)) {
      yield renderMessage(message)
      request.onMessage?.()
    }
  }
  yield* pagesAsMarkdown(store, request)
  yield* documentsAsMarkdown(store, request)
}

function heading(conversation: Conversation): string {
  const { title, id, tags, forkedFrom, createdAt } = conversation
  const about = [`Conversation \`${id}\``, `begun ${toMinute(createdAt)}`]
  if (tags.length > 0) about.push(`tags: ${tags.join(', ')}`)
  if (forkedFrom !== undefined) {
    about.push(`forked from \`${forkedFrom.conversationId}\` after message ${forkedFrom.position + 1}`)
  }
  return `# ${title ?? id}\n\n${about.join(' · ')}\n\n`
}

function renderMessage(message: Message): string {
  const speaker = message.name ?? message.role.charAt(0).toUpperCase() + message.role.slice(1)
  return `## ${speaker} · ${toMinute(message.createdAt)}\n\n${renderBody(message)}\n\n`
}

function renderBody({ content, erasedAt, isDamaged }: Message): string {
  if (erasedAt !== undefined) return '*(erased)*'
  return isDamaged ? '*(damaged)*' : partsOf(content).map(renderPart).join('\n\n')
}

function renderPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return part.text.replaceAll(/^/gm, '> ')
    case 'image':
      return `![image](${part.url})`
    case 'file':
      return `[${part.name ?? 'file'}](${part.url})`
    case 'tool-call':
      return `Calls \`${part.toolName}\`:\n\n${fence(part.input)}`
    case 'tool-result':
      return `${part.isError ? 'Error' : 'Result'}${part.toolName ? ` of \`${part.toolName}\`` : ''}:\n\n${fence(part.output)}`
  }
}

// Pages: the state of the page, then its queries with their answers.

async function* pagesAsMarkdown(store: Store, { workspace, pages }: ExportRequest): AsyncGenerator<string> {
  for await (const page of pages) {
    yield renderPage(page)
    for await (const query of readQueries(store, { workspace, page: page.pageId })) yield renderQuery(query)
  }
}

function renderPage({ pageId, createdAt, activeFile, currentTopic, ...page }: PageState): string {
  const about = [
    ...(activeFile === null ? [] : [`active file: ${activeFile.name ?? activeFile.id}`]),
    ...(currentTopic === null ? [] : [`topic: ${currentTopic}`]),
    ...renderKeys('entities', page.entities),
    ...renderKeys('preferences', page.preferences),
  ]
  const lines = about.map((line) => `- ${line}\n`).join('')
  return `# Page \`${pageId}\`\n\nBegun ${toMinute(createdAt)}\n\n${lines === '' ? '' : `${lines}\n`}`
}

function renderKeys(what: string, object: JsonObject): readonly string[] {
  const pairs = Object.entries(object).map(([key, value]) => `${key} (${asText(value)})`)
  return pairs.length === 0 ? [] : [`${what}: ${pairs.join(', ')}`]
}

function renderQuery(query: Query): string {
  const { sql, results, resultsTruncated, response } = query
  const flag = query.important ? ' · important' : ''
  const parts = [
    `## ${toMinute(query.createdAt)} · ${query.intent}${flag}`,
    query.query,
    ...(sql === null ? [] : [fence(sql, 'sql')]),
    ...(results === null ? [] : [`Results:\n\n${fence(results)}`]),
    ...(resultsTruncated === undefined ? [] : [renderNote(resultsTruncated)]),
    ...(response === null ? [] : [response]),
  ]
  return `${parts.join('\n\n')}\n\n`
}

function renderNote({ rows, bytes }: NonNullable<Query['resultsTruncated']>): string {
  const all = rows === undefined ? `${bytes} bytes` : `${rows} rows, ${bytes} bytes`
  return `*(truncated; the full result had ${all})*`
}

// Documents: the text under the name.

async function* documentsAsMarkdown(
  store: Store,
  { workspace, documents }: ExportRequest,
): AsyncGenerator<string> {
  for await (const { id, name, version, updatedAt } of documents) {
    const content = await store.documentText({ workspace, document: id })
    const about = `Document \`${id}\` · version ${version} · ${toMinute(updatedAt)}`
    yield `# ${name}\n\n${about}\n\n${content?.text ?? ''}\n\n`
  }
}

/** A code fence longer than any run of backticks inside. */
function fence(value: JsonValue, language: string = typeof value === 'string' ? '' : 'json'): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}\n${ticks}`
}

const toMinute = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ')
