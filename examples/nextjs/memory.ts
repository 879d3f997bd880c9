import { createHandler, openMemory } from 'recollect/server'

type Handler = ReturnType<typeof createHandler>

/** In development, Next.js evaluates modules again after each change; the memory stays open. */
const kept = globalThis as typeof globalThis & { recollect?: Promise<Handler> }

/** Opened with the first request: `next build` evaluates modules too, in several processes. */
export function openHandler(): Promise<Handler> {
  kept.recollect ??= open()
  return kept.recollect
}

async function open(): Promise<Handler> {
  const memory = await openMemory(process.env['RECOLLECT_DB'] ?? 'memory.db')
  return createHandler(memory, {
    basePath: '/api/memory',
    authorize(request) {
      const user = readUser(request.headers.get('cookie') ?? '')
      return user === undefined ? undefined : { workspaceId: user }
    },
  })
}

/** Stands for the sign-in of your application. Anybody can be anybody here: a real session is signed. */
function readUser(cookie: string): string | undefined {
  const found = /(?:^|; )user=([^;]+)/.exec(cookie)?.[1]
  return found === undefined ? undefined : decodeURIComponent(found)
}
