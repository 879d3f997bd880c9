/** The part of `Headers` that is needed; a plain object of lower-case names fits as well. */
export type ResponseHeaders = Headers | Readonly<Record<string, string>>

/** How long the server asks to wait, from `retry-after-ms`, or `Retry-After` in seconds or as a date. */
export function readRetryAfter(headers: ResponseHeaders | undefined, now: number): number | undefined {
  const milliseconds = toNumber(headerOf(headers, 'retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const text = headerOf(headers, 'retry-after')
  const seconds = toNumber(text)
  if (seconds !== undefined) return seconds * 1000
  const date = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function headerOf(headers: ResponseHeaders | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return value ?? undefined
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
