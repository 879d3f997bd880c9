// Saving a large file takes a while. Clients that accept server-sent events get progress; all others get the
// response at the end. If the client disconnects, the work is cancelled.

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Imported, ImportedConversation, ImportOptions, Workspace } from '../index.ts'
import { limitBytes, mediaTypeOf } from './entrance/read-body.ts'
import { HttpError, toPublicError } from './http-error.ts'
import type { Call } from './route.ts'

interface Progress {
  readonly done: number
  readonly total: number
}

interface Work {
  readonly onProgress?: (progress: Progress) => void
  readonly signal: AbortSignal
}

type Save<T> = (work: Work) => Promise<T>

type Caller = Pick<Call<unknown, unknown, unknown>, 'request' | 'requestId' | 'server'>

export async function saveWithProgress<T>(caller: Caller, save: Save<T>): Promise<T | Response> {
  const { headers, signal } = caller.request
  const isTold = headers.get('accept')?.toLowerCase().includes('text/event-stream') === true
  return isTold ? tellAsEvents(caller, save) : orHungUp(signal, save({ signal }))
}

/** An error after the client has disconnected is not a bug. */
async function orHungUp<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (signal.aborted) throw new HttpError('malformed-request', 'the client disconnected')
    throw error
  }
}

/** The stream starts with the first progress event: an error before that is an ordinary error response. */
function tellAsEvents<T>({ request, requestId, server }: Caller, save: Save<T>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const events = new Events()
    let isBegun = false
    const begin = () => {
      if (!isBegun) resolve(events.toResponse())
      isBegun = true
    }
    const onProgress = (progress: Progress) => {
      begin()
      events.tellProgress(progress)
    }
    const fail = (error: unknown) => {
      if (!isBegun) {
        reject(error)
        return
      }
      const told = toPublicError(error)
      if (told.code === 'internal') server.log.bug(error, requestId)
      events.end('error', { ...told, requestId })
    }
    const signal = AbortSignal.any([request.signal, events.cancelled])
    orHungUp(signal, save({ signal, onProgress })).then((saved) => {
      begin()
      events.end('done', saved)
    }, fail)
  })
}

/** Minimum time between two progress events. */
const EVERY_MS = 100

class Events {
  readonly #cancelling = new AbortController()
  readonly #encoder = new TextEncoder()
  #toldAt = 0
  #isOpen = true
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly #stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      this.#controller = controller
    },
    cancel: () => {
      this.#isOpen = false
      this.#cancelling.abort()
    },
  })

  get cancelled(): AbortSignal {
    return this.#cancelling.signal
  }

  toResponse(): Response {
    return new Response(this.#stream, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    })
  }

  tellProgress(progress: Progress): void {
    const now = performance.now()
    if (now - this.#toldAt < EVERY_MS && progress.done < progress.total) return
    this.#toldAt = now
    this.#send('progress', progress)
  }

  end(name: string, value: unknown): void {
    this.#send(name, value)
    if (this.#isOpen) this.#controller?.close()
    this.#isOpen = false
  }

  #send(name: string, value: unknown): void {
    if (!this.#isOpen) return
    this.#controller?.enqueue(this.#encoder.encode(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`))
  }
}

// The body of an import. Text is streamed; an archive is saved to a temporary file first, since a ZIP file's
// table of contents is at its end.

export const IMPORT_MEDIA_TYPES: readonly string[] = [
  'application/json',
  'application/x-ndjson',
  'application/zip',
  'application/gzip',
]

/** Enough to recognize the import; nobody reads a list of thousands. */
const MOST_LISTED = 200

interface ImportCall {
  readonly request: Request
  readonly mostBytes: number
  readonly options: ImportOptions
  readonly work: Work
}

export type ListedImport = Imported & { readonly listed: readonly ImportedConversation[] }

export async function importBody(memory: Workspace, call: ImportCall): Promise<ListedImport> {
  const listed: ImportedConversation[] = []
  const onConversation = (conversation: ImportedConversation) => {
    if (listed.length < MOST_LISTED) listed.push(conversation)
  }
  const options = { ...call.options, onConversation, onBytes: toOnBytes(call.work) }
  const pieces = limitBytes(call.request, call.mostBytes)
  const isArchive = mediaTypeOf(call.request) === 'application/zip'
  const imported = isArchive
    ? await importArchive(memory, pieces, options)
    : await memory.import(pieces, options)
  return { ...imported, listed }
}

/**
 * A client that streams text knows how much it has sent. An archive is uploaded completely before it is read,
 * so its progress has to be reported, and a client that disconnects has to be noticed.
 */
function toOnBytes({ onProgress, signal }: Work): (done: number, total: number) => void {
  return (done, total) => {
    if (total === 0) return
    signal.throwIfAborted()
    onProgress?.({ done, total })
  }
}

/** Saves the archive to a private temporary folder, which is deleted afterwards. */
async function importArchive(
  memory: Workspace,
  pieces: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-import-'))
  try {
    const path = join(folder, 'export.zip')
    await pipeline(pieces, createWriteStream(path, { mode: 0o600 }))
    return await memory.import(path, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
