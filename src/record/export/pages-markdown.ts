// Pages for people: what a page knows, then its queries as they were asked and answered.

import type { JsonObject } from '../../domain/json.ts'
import { asText } from '../../domain/message.ts'
import type { PageState, Query } from '../../domain/page.ts'
import type { Store } from '../../store/store.ts'
import { readQueries } from '../queries/read-queries.ts'
import type { ExportRequest } from './export-request.ts'
import { fence, toMinute } from './markdown.ts'

export async function* pagesAsMarkdown(
  store: Store,
  { workspace, pages }: ExportRequest,
): AsyncGenerator<string> {
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
  return `*(only the beginning was kept; there were ${all})*`
}
