// The human-readable export: who said what and when, with tool calls and results as code.

import type { Conversation } from '../../domain/conversation.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { asText, type Message, type Part, partsOf } from '../../domain/message.ts'
import type { PageState, Query } from '../../domain/page.ts'
import { readMessages } from '../../store/read-pages.ts'
import type { Store } from '../../store/store.ts'
import { readQueries } from '../queries/read-history.ts'
import type { ExportRequest } from './export-json.ts'

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
