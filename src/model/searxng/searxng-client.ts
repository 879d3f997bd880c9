// A SearXNG server's JSON answers: GET /search?q=…&format=json. Everything in them was written by strangers; what is
// kept is a title, an http address and a few plain sentences.

import { CallFailure } from '../network/call-failure.ts'
import { cutText } from '../network/cut-text.ts'
import type { Endpoint } from '../network/endpoint.ts'
import { fetchJson } from '../network/fetch-json.ts'
import type { WebSearch, WebSearchResult } from '../web-search.ts'
import { cutAtSentence } from './cut-at-sentence.ts'

export interface SearxngSettings {
  readonly endpoint: Endpoint
  readonly excerptCharacters: number
  readonly responseBytes: number
}

const LONGEST_QUESTION = 400
const LONGEST_TITLE = 200
const LONGEST_URL = 2000

export function connectSearxng({ endpoint, excerptCharacters, responseBytes }: SearxngSettings): WebSearch {
  return {
    name: 'searxng',
    async search(question, { limit, signal }) {
      const query = { q: cutText(toPlain(question), LONGEST_QUESTION), format: 'json' }
      const call = { path: '/search', query, signal, mostBytes: responseBytes }
      const answer = await fetchJson(endpoint, call).catch(explain)
      return readResults(answer, excerptCharacters).slice(0, limit)
    },
  }
}

/** A server that does not serve JSON says nothing but 403. */
function explain(error: unknown): never {
  if (!(error instanceof CallFailure) || error.status !== 403) throw error
  throw new CallFailure('status', error.message, {
    status: 403,
    hint: 'does the server serve JSON? Its settings.yml must list it under search.formats: [html, json]; a limiter or a missing key refuses in the same way',
  })
}

interface SearxngResult {
  readonly title?: unknown
  readonly url?: unknown
  readonly content?: unknown
  readonly publishedDate?: unknown
}

function readResults(answer: unknown, excerptCharacters: number): WebSearchResult[] {
  const results = (answer as { results?: unknown } | null)?.results
  if (!Array.isArray(results)) throw new CallFailure('garbled', 'an answer without results')
  const found = new Map<string, WebSearchResult>()
  for (const result of results) {
    const read = readResult(result ?? {}, excerptCharacters)
    if (read !== undefined && !found.has(read.url)) found.set(read.url, read)
  }
  return [...found.values()]
}

/** Undefined for what says nothing, or leads nowhere. */
function readResult(result: SearxngResult, excerptCharacters: number): WebSearchResult | undefined {
  const { title, url, content, publishedDate } = result
  const excerpt = cutAtSentence(toPlain(content), excerptCharacters)
  if (excerpt === '' || typeof url !== 'string' || url.length > LONGEST_URL) return undefined
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined
  const publishedAt = new Date(typeof publishedDate === 'string' ? publishedDate : Number.NaN)
  const isDated = !Number.isNaN(publishedAt.getTime())
  return {
    title: cutText(toPlain(title), LONGEST_TITLE) || new URL(url).hostname,
    url,
    excerpt,
    ...(isDated && { publishedAt }),
  }
}

/** One line of text without control characters and marks that change the direction of others. */
function toPlain(text: unknown): string {
  if (typeof text !== 'string') return ''
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
