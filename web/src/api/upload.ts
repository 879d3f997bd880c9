import { RequestError } from 'recollect/react'
import { kept } from '../kept.ts'

interface Upload {
  readonly path: string
  readonly file: Blob
  readonly mediaType: string
  readonly signal: AbortSignal
  /** 0 to 1, of what is sent and, once all of it is, of what the server has read. */
  readonly onProgress: (share: number, isSent: boolean) => void
}

/** Not by fetch: only this tells how far a large file is. */
export function upload<T>({ path, file, mediaType, signal, onProgress }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('content-type', mediaType)
    request.setRequestHeader('accept', 'text/event-stream')
    const key = kept.get('key')
    if (key !== undefined) request.setRequestHeader('authorization', `Bearer ${key}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total, false)
    request.onprogress = () => {
      const share = readShare(request.responseText)
      if (share !== undefined) onProgress(share, true)
    }
    request.onload = () => settle(request, { resolve: resolve as (value: unknown) => void, reject })
    request.onerror = () => reject(new RequestError('unreachable', 'the server cannot be reached'))
    request.onabort = () => reject(new RequestError('aborted', 'the upload was stopped'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

interface Settling {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

function settle(request: XMLHttpRequest, { resolve, reject }: Settling): void {
  const { status } = request
  try {
    const { error, value } = readOutcome(request)
    if (error === undefined) resolve(value)
    else reject(new RequestError(error.code, error.message, { hint: error.hint, status }))
  } catch (cause) {
    reject(new RequestError('malformed-answer', `the server answered ${status}`, { status, cause }))
  }
}

interface Outcome {
  readonly value?: unknown
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string }
}

/** Events where the server tells how far it is, else one answer. */
function readOutcome(request: XMLHttpRequest): Outcome {
  const { status, responseText } = request
  if (request.getResponseHeader('content-type')?.startsWith('text/event-stream') !== true) {
    const body = JSON.parse(responseText)
    return status < 300 ? { value: body } : { error: body.error }
  }
  const last = readEvents(responseText).at(-1)
  if (last?.name === 'done') return { value: last.data }
  return { error: last?.data as NonNullable<Outcome['error']> }
}

interface UploadEvent {
  readonly name: string
  readonly data: unknown
}

/** Whole ones only: the last may still be on its way. */
const readEvents = (text: string): readonly UploadEvent[] =>
  [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, name = '', data = '']) => ({
    name,
    data: JSON.parse(data),
  }))

function readShare(text: string): number | undefined {
  const last = readEvents(text.slice(text.lastIndexOf('event: progress'))).at(-1)
  if (last?.name !== 'progress') return undefined
  const { done, total } = last.data as { readonly done: number; readonly total: number }
  return total === 0 ? undefined : done / total
}
