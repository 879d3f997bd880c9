// The JSON API of a SearXNG server: GET /search?q=…&format=json. Everything in the response was written by
// strangers; only a title, an http URL and a few plain sentences are kept.

import type { WebSearch, WebSearchResult } from '../models.ts'
import { CallFailure, cutText } from '../network/call-failure.ts'
import type { Endpoint } from '../network/endpoint.ts'
import { fetchJson } from '../network/fetch-json.ts'

interface SearxngSettings {
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
      const call = { path: '/search', query, signal, maxBytes: responseBytes }
      const answer = await fetchJson(endpoint, call).catch(explain)
      return readResults(answer, excerptCharacters).slice(0, limit)
    },
  }
}

/** A server without the JSON format responds with a plain 403. */
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

/** Undefined for a result without text or with an unusable URL. */
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

/** One line of text, without control characters and bidirectional formatting marks. */
function toPlain(text: unknown): string {
  if (typeof text !== 'string') return ''
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/**
 * The beginning of a text up to the limit, cut at the end of a sentence, or of a word if the first sentence
 * is longer.
 */
export function cutAtSentence(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  // A little more than fits, to see whether a sentence continues.
  const beginning = text.slice(0, maxCharacters + 40)
  const kept = whole(beginning, 'sentence', maxCharacters)
  if (kept !== '') return kept
  return `${whole(beginning, 'word', maxCharacters - 1) || cutText(text, maxCharacters - 1)}…`
}

function whole(text: string, granularity: 'sentence' | 'word', maxCharacters: number): string {
  let end = 0
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity }).segment(text)) {
    const after = index + segment.trimEnd().length
    // The last segment of the slice may be incomplete.
    if (after > maxCharacters || index + segment.length === text.length) break
    end = after
  }
  return text.slice(0, end)
}
