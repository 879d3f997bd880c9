import { CallFailure } from './call-failure.ts'

/** `fetch` that gives up on an answer beyond so many bytes, streams included. */
export function boundedFetch(mostBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    return new Response(response.body.pipeThrough(limitBytes(mostBytes)), {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
}

function limitBytes(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > mostBytes)
        controller.error(new CallFailure('garbled', `an answer of over ${mostBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
