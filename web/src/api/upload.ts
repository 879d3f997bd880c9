import { RequestError } from 'recollect/react'
import { localValues } from '../browser-storage.ts'

interface Upload {
  readonly path: string
  readonly file: Blob
  readonly mediaType: string
  readonly signal: AbortSignal
  /** Share from 0 to 1: of the upload first, then (`isSent`) of what the server has processed. */
  readonly onProgress: (share: number, isSent: boolean) => void
}

/** Uses XMLHttpRequest because fetch doesn't report upload progress. */
export function upload<T>({ path, file, mediaType, signal, onProgress }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('content-type', mediaType)
    request.setRequestHeader('accept', 'text/event-stream')
    const key = localValues.get('key')
    if (key !== undefined) request.setRequestHeader('authorization', `Bearer ${key}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total, false)
    request.onprogress = () => {
      const share = readShare(request.responseText)
      if (share !== undefined) onProgress(share, true)
    }
    request.onload = () => settle(request, { resolve: resolve as (value: unknown) => void, reject })
    request.onerror = () => reject(new RequestError('unreachable', 'the server can’t be reached'))
    request.onabort = () => reject(new RequestError('aborted', 'the upload was canceled'))
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

/** The last event if the server streams progress, otherwise the JSON body. */
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

/** Complete events only: the last one may still be arriving. */
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
