// Serves the web app at `/`: the files built into dist/web, and their security policy.
//
// 1. File names under /assets/ contain a content hash: browsers may cache them forever. Everything else is
//    revalidated by ETag on each request.
// 2. Files are compressed once, at build time.
// 3. A page of the app only runs its own scripts and styles, only connects to this server, and cannot be
//    framed.

import { readdirSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import type { ServerEnv } from '../request-context.ts'
import { readAsset } from './read-asset.ts'

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
  const places = ['../../web/', '../../../dist/web/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
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
