import { MemoryError } from '../../domain/errors.ts'
import { cutText } from '../../model/network/call-failure.ts'
import { withoutSecrets } from '../../model/network/endpoint.ts'

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
