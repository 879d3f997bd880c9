import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { ExportOptions, Memory, Workspace } from '../../index.ts'
import { flag, queryOf } from '../../schemas/lists.ts'
import { ok, route, routesOf, stream } from '../route.ts'
import { listedImport } from '../schemas/upkeep.ts'
import { IMPORT_MEDIA_TYPES, importBody, saveWithProgress } from '../uploads.ts'

const format = z.enum(['json', 'markdown']).optional()
const exported = stream('The export, streamed.', 'application/json', 'text/markdown')

export const transferRoutes = routesOf('Export and import', [
  route.get('/api/conversations/{conversationId}/export', {
    operation: 'exportConversation',
    summary:
      'Exports a conversation with its page: as JSON that can be imported without loss, or as Markdown.',
    scope: 'read',
    query: queryOf({ format }),
    answer: exported,
    handle: async ({ memory, params, query }) =>
      exportAs(memory, { conversationId: params.conversationId, ...query }),
  }),
  route.get('/api/export', {
    operation: 'exportWorkspace',
    summary: 'Exports the whole workspace.',
    scope: 'read',
    query: queryOf({ format }),
    answer: exported,
    handle: async ({ memory, query }) => exportAs(memory, query),
  }),
  route.post('/api/import', {
    operation: 'importExport',
    summary:
      'Imports chats of ChatGPT, Claude and other programs, or an export. Importing twice adds nothing.',
    about:
      'Send the file as the body: JSON, JSON lines, either of them gzipped, or the ZIP archive that ChatGPT and Claude provide. To resume an interrupted import, send the file again.',
    scope: 'write',
    body: { mediaTypes: IMPORT_MEDIA_TYPES },
    supports: ['progress'],
    query: queryOf({
      dryRun: flag.meta({ description: 'Reports what would be imported and writes nothing.' }),
      branches: z
        .enum(['forks', 'none'])
        .optional()
        .meta({ description: 'How to import branches other than the current one. Default: as forks.' }),
    }),
    answer: ok(listedImport),
    handle: ({ memory, query, ...caller }) =>
      saveWithProgress(caller, (work) =>
        importBody(memory, {
          request: caller.request,
          mostBytes: caller.server.options.importBytes,
          options: query,
          work,
        }),
      ),
  }),
  route.get('/api/backup', {
    operation: 'backUp',
    summary: 'Downloads a verified copy of the whole database, all workspaces, made while it is in use.',
    scope: 'admin',
    answer: stream('A SQLite file.', 'application/vnd.sqlite3'),
    handle: async ({ server }) => sendBackup(server.memory),
  }),
])

const MEDIA_TYPES = { json: 'application/json', markdown: 'text/markdown; charset=utf-8' } as const

/**
 * Waits for the first chunk, so that not-found is an error response and not an error in the middle of a file.
 */
async function exportAs(memory: Workspace, options: ExportOptions): Promise<Response> {
  const pieces = memory.export(options)[Symbol.asyncIterator]()
  const first = await pieces.next()
  const { format: chosen = 'json' } = options
  return new Response(toStream(first, pieces), {
    headers: {
      'content-type': MEDIA_TYPES[chosen],
      'content-disposition': `attachment; filename="recollect-export.${chosen === 'json' ? 'json' : 'md'}"`,
    },
  })
}

/** Stops the export when the client disconnects. */
function toStream(first: IteratorResult<string>, pieces: AsyncIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting: IteratorResult<string> | undefined = first
  return new ReadableStream({
    async pull(controller) {
      const piece = waiting ?? (await pieces.next())
      waiting = undefined
      if (piece.done === true) controller.close()
      else controller.enqueue(encoder.encode(piece.value))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

/** Writes the backup to a private temporary folder, which is deleted once it was sent. */
async function sendBackup(memory: Memory): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-backup-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'memory.db')
  try {
    await memory.maintenance.backup(path)
  } catch (error) {
    await remove()
    throw error
  }
  const file = createReadStream(path)
  file.once('close', () => void remove())
  return new Response(Readable.toWeb(file) as unknown as ReadableStream, {
    headers: {
      'content-type': 'application/vnd.sqlite3',
      'content-disposition': 'attachment; filename="recollect-backup.db"',
    },
  })
}
