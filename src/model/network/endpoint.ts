// Parses the URL of a server as configured: credentials and query are used for requests, and the rest is safe
// to show in messages.

import { MemoryError } from '../../domain/errors.ts'

export interface EndpointSettings {
  readonly url: string
  readonly key: string
  /** The option group, for messages: `models.chat`. */
  readonly option: string
}

export interface Endpoint {
  /** Without credentials, query and trailing slash: safe to show. */
  readonly baseUrl: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Values that must never be shown. */
  readonly secrets: readonly string[]
}

/** Keys in a query are long; `api-version=1` is not a key. */
const SHORTEST_QUERY_SECRET = 8

/** Parses `http://user:password@host/path?query` and a key; a URL without a path gets the usual one. */
export function toEndpoint({ url, key, option }: EndpointSettings, usualPath: string): Endpoint {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    // The URL is not in the message: it may contain a password.
    throw new MemoryError('invalid-input', `the option "${option}.url" is not an http or https address`, {
      hint: `such as http://localhost:11434${usualPath}`,
    })
  }
  const path = parsed.pathname === '/' ? usualPath : parsed.pathname.replace(/\/+$/, '')
  const query = Object.fromEntries(parsed.searchParams)
  const authorization = toAuthorization(parsed, toKey(key, option))
  const perhapsSecret = Object.values(query).filter((value) => value.length >= SHORTEST_QUERY_SECRET)
  return {
    baseUrl: parsed.origin + path,
    query,
    headers: authorization === undefined ? {} : { authorization },
    secrets: [key.trim(), parsed.password, decode(parsed.password), ...perhapsSecret]
      .concat(authorization?.split(' ')[1] ?? [])
      .filter((secret) => secret !== ''),
  }
}

function toKey(key: string, option: string): string {
  const trimmed = key.trim()
  if (/^[\x21-\x7e]*$/.test(trimmed)) return trimmed
  throw new MemoryError('invalid-input', `the option "${option}.key" has characters that no key has`, {
    hint: 'letters, digits and signs only, without spaces',
  })
}

function toAuthorization({ username, password }: URL, key: string): string | undefined {
  if (key !== '') return `Bearer ${key}`
  if (username === '' && password === '') return undefined
  const credentials = `${decode(username)}:${decode(password)}`
  return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`
}

/** A percent sign that encodes nothing is taken literally. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Typical keys of providers: those of models passed in by the application are not known here. */
const LIKE_A_KEY = /\b(?:(?:sk|pk|rk|gsk|hf|xai|key)[-_][\w-]{12,}|AIza[\w-]{20,}|(?<=Bearer )\S{8,})/g

/** Removes known secrets from a text, and anything that looks like one. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
  return shown.replaceAll(LIKE_A_KEY, '[secret]')
}
