import { RequestError } from 'recollect/react'
import { kept } from '../kept.ts'

interface Upload {
  readonly path: string
  readonly file: Blob
  readonly mediaType: string
  readonly signal: AbortSignal
  /** 0 to 1, of what is sent; the server reads as it comes. */
  readonly onProgress: (share: number) => void
}

/** Not by fetch: only this tells how far a large file is. */
export function upload<T>({ path, file, mediaType, signal, onProgress }: Upload): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('content-type', mediaType)
    const key = kept.get('key')
    if (key !== undefined) request.setRequestHeader('authorization', `Bearer ${key}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
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

function settle({ status, responseText }: XMLHttpRequest, { resolve, reject }: Settling): void {
  try {
    const body = JSON.parse(responseText)
    if (status < 300) resolve(body)
    else reject(new RequestError(body.error.code, body.error.message, { hint: body.error.hint, status }))
  } catch (cause) {
    reject(new RequestError('malformed-answer', `the server answered ${status}`, { status, cause }))
  }
}
