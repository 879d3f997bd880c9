// The part of the package `chromadb` that is used, and how to connect to its server. No embedding function is ever
// named: the client would load packages and models for it, and all vectors are computed elsewhere.

import { MemoryError } from '../../domain/errors.ts'
import { cutText } from '../../model/network/call-failure.ts'
import { toEndpoint, withoutSecrets } from '../../model/network/endpoint.ts'

export interface ChromaSettings {
  readonly url: string
  readonly key: string
  readonly tenant: string
  readonly database: string
  /** Prefix of all collection names. */
  readonly prefix: string
}

export type ChromaMetadata = Record<string, string | number | boolean | null>

export type ChromaWhere =
  | { readonly [field: string]: string | { readonly $in: string[] } }
  | { readonly $and: ChromaWhere[] }
  | { readonly $or: ChromaWhere[] }

export interface ChromaCollection {
  readonly name: string
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  count(): Promise<number>
  get(request: ChromaGet): Promise<{ readonly ids: string[]; readonly metadatas: unknown[] }>
  upsert(rows: ChromaRows): Promise<void>
  delete(request: { ids?: string[]; where?: ChromaWhere }): Promise<unknown>
  query(request: ChromaQuery): Promise<{ readonly ids: string[][]; readonly distances: unknown[][] }>
}

interface ChromaGet {
  readonly ids?: string[]
  readonly where?: ChromaWhere
  readonly include: 'metadatas'[]
  readonly limit: number
  readonly offset?: number
}

interface ChromaRows {
  readonly ids: string[]
  readonly embeddings: number[][]
  readonly metadatas: ChromaMetadata[]
  readonly documents: string[]
}

interface ChromaQuery {
  readonly queryEmbeddings: number[][]
  readonly nResults: number
  readonly where: ChromaWhere
  readonly include: 'distances'[]
}

export interface ChromaClient {
  getCollection(request: { name: string }): Promise<ChromaCollection>
  getOrCreateCollection(request: {
    name: string
    metadata: ChromaMetadata
    configuration: { hnsw: { space: 'cosine' } }
    embeddingFunction: null
  }): Promise<ChromaCollection>
  listCollections(request: { limit: number; offset: number }): Promise<ChromaCollection[]>
  deleteCollection(request: { name: string }): Promise<void>
}

export interface Connected {
  readonly client: ChromaClient
  /** Safe to display. */
  readonly address: string
  readonly secrets: readonly string[]
}

export async function connectChroma(settings: ChromaSettings, signal: AbortSignal): Promise<Connected> {
  const { tenant, database } = settings
  const { baseUrl, query, headers, secrets } = toEndpoint({ ...settings, option: 'vectors.chroma' }, '')
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  if (pathname !== '/' || Object.keys(query).length > 0) {
    throw new MemoryError('invalid-input', 'the option "vectors.chroma.url" takes no path and no query', {
      hint: 'a Chroma server answers at the root of its address, such as http://localhost:8000',
    })
  }
  const { ChromaClient } = await loadPackage()
  const isSecure = protocol === 'https:'
  const key = settings.key.trim()
  const client = new ChromaClient({
    host: hostname,
    port: port === '' ? USUAL_PORTS[isSecure ? 'https' : 'http'] : Number(port),
    ssl: isSecure,
    tenant,
    database,
    headers: { ...headers, ...(key !== '' && { 'x-chroma-token': key }) },
    // Refuse redirects: the other server would receive the key.
    fetchOptions: { signal, redirect: 'error' },
  })
  return { client, address: baseUrl, secrets }
}

const USUAL_PORTS = { http: 80, https: 443 } as const

async function loadPackage(): Promise<typeof import('chromadb')> {
  try {
    return await import('chromadb')
  } catch (cause) {
    throw new MemoryError('missing-dependency', 'Chroma needs the package "chromadb"', {
      hint: 'npm install chromadb',
      cause,
    })
  }
}

interface Server {
  readonly address: string
  readonly secrets: readonly string[]
}

const SHOWN = 300

/** Converts a client error: a refused request is `conflict` or `not-found`, anything else `store-failed`. */
export function toChromaError({ address, secrets }: Server, error: unknown): MemoryError {
  const name = error instanceof Error ? error.name : ''
  const text = error instanceof Error ? error.message : String(error)
  const told = withoutSecrets(cutText(CONNECTION.has(name) ? 'it cannot be reached' : text, SHOWN), secrets)
  if (name === 'ChromaNotFoundError') {
    return new MemoryError('not-found', `Chroma at ${address} does not have the collection`, {
      hint: 'it is made and filled again by itself',
    })
  }
  if (name === 'ChromaUnauthorizedError' || name === 'ChromaForbiddenError') {
    return new MemoryError('conflict', `Chroma at ${address} refused: ${told}`, {
      hint: 'are vectors.chroma.key, tenant and database right?',
    })
  }
  if (name === 'ChromaClientError') {
    return new MemoryError('conflict', `Chroma at ${address} refused: ${told}`, {
      hint: 'is it a version that this client speaks to? 1.0 and later do',
    })
  }
  return new MemoryError('store-failed', `Chroma at ${address} failed: ${told}`, {
    hint: 'is the server running? Its address is the option vectors.chroma.url',
  })
}

const CONNECTION: ReadonlySet<string> = new Set(['ChromaConnectionError', 'AbortError'])
