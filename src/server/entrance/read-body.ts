import { HttpError } from '../http-error.ts'

/** Parses the request body as JSON; an empty body is an empty object. */
export async function readJson(request: Request, mostBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, mostBytes)
  if (bytes.byteLength === 0) return {}
  // `fetch` with a string sends text/plain. Cross-site forms could too, and are rejected by their origin.
  checkMediaType(request, ['application/json', 'text/plain', ''])
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HttpError('invalid-json', 'the body is not valid JSON', { hint: (cause as Error).message })
  }
}

/** Rejects invalid UTF-8: it must not be recorded with replacement characters. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new HttpError('invalid-json', 'the body is not valid UTF-8', { hint: 'send JSON as UTF-8' })
  }
}

export function checkMediaType(request: Request, accepted: readonly string[]): void {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    throw new HttpError('unsupported-media-type', `content encoding "${encoding}" is not supported`, {
      hint: 'send the body uncompressed',
    })
  }
  const type = mediaTypeOf(request)
  if (accepted.includes(type)) return
  throw new HttpError('unsupported-media-type', `content type "${type}" is not supported`, {
    hint: `send ${accepted.filter((name) => name !== '').join(' or ')}`,
  })
}

export function mediaTypeOf({ headers }: Request): string {
  const given = headers.get('content-type') ?? ''
  return given.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  // Node never delivers more than Content-Length.
  if (request.headers.has('content-length')) {
    checkLength(Number(request.headers.get('content-length')), mostBytes)
    return new Uint8Array(await request.arrayBuffer())
  }
  const pieces: Uint8Array[] = []
  for await (const piece of limitBytes(request, mostBytes)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Yields the body in chunks; fails as soon as it exceeds the limit. */
export async function* limitBytes(request: Request, mostBytes: number): AsyncGenerator<Uint8Array> {
  if (request.headers.has('content-length'))
    checkLength(Number(request.headers.get('content-length')), mostBytes)
  if (request.body === null) return
  let bytes = 0
  for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    checkLength(bytes, mostBytes)
    yield piece
  }
}

function checkLength(bytes: number, mostBytes: number): void {
  if (bytes <= mostBytes) return
  throw new HttpError('too-large', `the body has more than ${mostBytes} bytes`, {
    hint: 'send less at once; the server options bodyBytes, uploadBytes and importBytes set the limits',
  })
}
