// Serves the web app at `/`: the files built into dist/web, and their security policy.
//
// 1. File names under /assets/ contain a content hash: browsers may cache them forever. Everything else is
//    revalidated by ETag on each request.
// 2. Files are compressed once, at build time.
// 3. A page of the app only runs its own scripts and styles, only connects to this server, and cannot be
//    framed.

import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import type { ServerEnv } from './access-log.ts'

const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Client-side routes: each serves the same page. */
const APP_PATHS = [
  '/',
  '/c/*',
  '/memory',
  '/memory/*',
  '/known',
  '/known/*',
  '/analytics',
  '/import',
  '/settings',
]

/** Serves the app, if it was built. */
export function addWebApp(hono: Hono<ServerEnv>, folder: string | undefined = findFolder()): boolean {
  if (folder === undefined) return false
  const files = filesIn(folder)
  for (const file of files) {
    const path = `/${file.split(sep).join('/')}`
    if (path !== '/index.html') serve(hono, path, join(folder, file))
  }
  for (const path of APP_PATHS) serve(hono, path, join(folder, 'index.html'))
  return true
}

function serve(hono: Hono<ServerEnv>, path: string, file: string): void {
  hono.get(path, async (context) => {
    context.get('facts').route = path
    const response = await readAsset(file, { request: context.req.raw, isKept: path.startsWith('/assets/') })
    if (extname(file) === '.html') response.headers.set('content-security-policy', APP_POLICY)
    return response
  })
}

/** Next to this file when compiled; in the project's dist/ when run from source. */
function findFolder(): string | undefined {
  const places = ['../web/', '../../dist/web/'].map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return places.find((place) => filesIn(place).includes('index.html'))
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

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
async function readAsset(file: string, { request, isKept }: Wanted): Promise<Response> {
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
