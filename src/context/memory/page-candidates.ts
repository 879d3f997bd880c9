// What a page adds to a context: one line each for the open file, the current topic, entities and preferences, the
// selected queries of its history, and the beginning of the file if nothing in it matches the question.

import type { Chunk } from '../../domain/document.ts'
import { quoteInjected } from '../../domain/injected.ts'
import type { JsonObject } from '../../domain/json.ts'
import { asText } from '../../domain/message.ts'
import type { Query } from '../../domain/page.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { PageMaterial } from '../material.ts'
import { type MemoryCandidate, toMemoryCandidate } from './memory-candidate.ts'
import { recalledLine } from './to-lines.ts'

/** Longer lines are cut: a page may have hundreds of entities. */
const MAX_LINE_CHARACTERS = 600
/** The beginning of a response; the whole may be a report. */
const MAX_RESPONSE_CHARACTERS = 300

/** The state of the page and its queries, without queries that are visible as turns. */
export function pageCandidates(
  page: PageMaterial | undefined,
  { said, count }: { readonly said: ReadonlySet<string>; readonly count: CountTokens },
): readonly MemoryCandidate[] {
  if (page === undefined) return []
  const { state, document, outline, queries } = page
  const name = document?.name ?? state.activeFile?.name ?? state.activeFile?.id
  const lines = [
    ['active-file', name === undefined ? '' : `open file: ${name}${outline === '' ? '' : `; ${outline}`}`],
    ['current-topic', state.currentTopic === null ? '' : `current topic: ${state.currentTopic}`],
    ['entities', listValues('entities', state.entities)],
    ['preferences', listValues('preferences', state.preferences)],
  ] as const
  return [
    ...lines.filter(([, text]) => text !== '').map(([id, text]) => fromState(id, text, count)),
    ...queries.filter(({ query }) => !said.has(query.trim())).map((query) => fromQuery(query, count)),
  ]
}

function listValues(name: string, values: JsonObject): string {
  const list = Object.entries(values).map(([key, value]) => `${key}: ${asText(value)}`)
  return list.length === 0 ? '' : `${name}: ${list.join('; ')}`
}

function fromState(id: string, text: string, count: CountTokens): MemoryCandidate {
  const characters = [...text.replaceAll(/\s+/g, ' ')]
  const isLong = characters.length > MAX_LINE_CHARACTERS
  const shown = isLong ? `${characters.slice(0, MAX_LINE_CHARACTERS - 1).join('')}…` : characters.join('')
  const fields = {
    kind: 'page' as const,
    id,
    text: shown,
    messageIds: [],
    reasons: [{ text: 'the state of the page' }],
    section: 'page' as const,
    canBeCut: false,
    toLine: (said: string) => `- ${quoteInjected(said)}`,
  }
  return toMemoryCandidate(fields, count)
}

function fromQuery(query: Query, count: CountTokens): MemoryCandidate {
  const { id, createdAt, important, sql, response } = query
  const text = [query.query, sql, response?.slice(0, MAX_RESPONSE_CHARACTERS)]
    .filter((one) => typeof one === 'string' && one !== '')
    .join('\n')
  const fields = {
    kind: 'query' as const,
    id,
    text,
    messageIds: [],
    reasons: [{ text: important ? 'a flagged query of the page' : 'a query of the page' }],
    section: 'page' as const,
    canBeCut: false,
    at: createdAt,
    toLine: (said: string) => recalledLine({ kind: 'query', createdAt }, undefined, said),
  }
  return toMemoryCandidate(fields, count)
}

/** The first chunks of the active file. */
export function beginningOfFile(
  page: PageMaterial | undefined,
  count: CountTokens,
): readonly MemoryCandidate[] {
  const { document, beginning = [] } = page ?? {}
  if (document === undefined) return []
  return beginning.map((chunk: Chunk) => {
    const line = { kind: 'chunk', createdAt: document.updatedAt, source: document.name } as const
    const fields = {
      kind: 'chunk' as const,
      id: chunk.id,
      text: chunk.text,
      messageIds: [],
      reasons: [{ text: 'the beginning of the active file' }],
      canBeCut: true,
      at: document.updatedAt,
      toLine: (said: string) => recalledLine(line, undefined, said),
    }
    return toMemoryCandidate(fields, count)
  })
}

const ABOUT_FILE =
  /\b(?:files?|documents?|docs?|data(?:set)?|tables?|sheets?|spreadsheet|csv|pdf|reports?|rows?|columns?|summar\p{L}+|overview|attach\p{L}+|upload\p{L}*|datei(?:en)?|dokumente?|tabellen?|zusammen(?:fass\p{L}*)?|archivos?|documentos?|tablas?|resum\p{L}+|fichiers?|tableau|résum\p{L}+|arquivos?|ficheiros?|tabelas?|riassum\p{L}*|riassunto)\b/iu

/** Whether a question is about the file as a whole. */
export const isAboutFile = (question: string): boolean => ABOUT_FILE.test(question)
