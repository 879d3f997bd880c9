import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'

interface Wanted {
  readonly request: Request
  /** The file name contains a content hash, so it can be cached forever. */
  readonly isKept: boolean
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

/** Reads a built file in the smallest encoding that the browser accepts. */
export async function readAsset(file: string, { request, isKept }: Wanted): Promise<Response> {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const found = await readSmallest(file, accepted)
  const etag = `"${createHash('sha256').update(found.bytes).digest('base64url').slice(0, 27)}"`
  const headers = {
    'cache-control': isKept ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
    etag,
  }
  if (request.headers.get('if-none-match')?.includes(etag) === true)
    return new Response(null, { status: 304, headers })
  return new Response(new Uint8Array(found.bytes), {
    headers: {
      ...headers,
      'content-type': MEDIA_TYPES[extname(file)] ?? 'application/octet-stream',
      ...(found.encoding !== undefined && { 'content-encoding': found.encoding }),
    },
  })
}

async function readSmallest(file: string, accepted: string) {
  for (const { name, ending } of ENCODINGS) {
    if (!new RegExp(`\\b${name}\\b(?!;q=0(?:\\.0*)?(?:,|$))`).test(accepted)) continue
    const bytes = await readIfThere(`${file}${ending}`)
    if (bytes !== undefined) return { bytes, encoding: name }
  }
  return { bytes: await readFile(file), encoding: undefined }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
