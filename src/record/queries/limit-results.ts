import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Query } from '../../domain/page.ts'
import { utf8Bytes } from '../../schemas/values.ts'

type Kept = Pick<Query, 'results' | 'resultsTruncated'>

/**
 * Results that are too large keep their first rows, and a note says how many there were. Rows are a list, or
 * the largest list of an object such as `{ columns, rows }`. Of a text the beginning is kept; of anything else
 * too large nothing but the note.
 */
export function limitResults(results: JsonValue, maxBytes: number): Kept {
  const bytes = jsonBytes(results)
  if (bytes <= maxBytes) return { results }
  if (Array.isArray(results)) {
    return { results: firstRows(results, maxBytes), resultsTruncated: { rows: results.length, bytes } }
  }
  if (typeof results === 'string') {
    return { results: beginningOf(results, maxBytes), resultsTruncated: { bytes } }
  }
  return cutObject(results as JsonObject, { maxBytes, bytes })
}

const jsonBytes = (value: JsonValue): number => utf8Bytes(JSON.stringify(value))

function firstRows(rows: readonly JsonValue[], maxBytes: number): readonly JsonValue[] {
  let left = maxBytes - '[]'.length
  const end = rows.findIndex((row, i) => {
    left -= jsonBytes(row) + (i === 0 ? 0 : ','.length)
    return left < 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}

function cutObject(
  results: JsonObject,
  { maxBytes, bytes }: { readonly maxBytes: number; readonly bytes: number },
): Kept {
  const lists = Object.entries(results).filter((entry): entry is [string, readonly JsonValue[]] =>
    Array.isArray(entry[1]),
  )
  const sizes = lists.map(([, list]) => jsonBytes(list))
  const [name, rows] = lists[sizes.indexOf(Math.max(...sizes))] ?? []
  const left = maxBytes - (bytes - Math.max(...sizes))
  if (name === undefined || rows === undefined || left < '[]'.length) {
    return { results: null, resultsTruncated: { bytes } }
  }
  const entries = Object.entries(results).map(([key, value]): [string, JsonValue] =>
    key === name ? [key, firstRows(rows, left)] : [key, value],
  )
  return { results: Object.fromEntries(entries), resultsTruncated: { rows: rows.length, bytes } }
}

function beginningOf(text: string, maxBytes: number): string {
  let left = maxBytes - '""'.length
  let end = 0
  for (const character of text) {
    left -= jsonBytes(character) - '""'.length
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end)
}
