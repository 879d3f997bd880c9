// Server-sent events of the chat: `data: …` lines, an empty line ends an event, and lines that begin with a
// colon are comments. A chunk may end anywhere, even within a character or a line ending.

/** The data of each event, and the comments, in order. */
export type StreamEvent = { readonly data: string } | { readonly comment: string }

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line.startsWith(':')) yield { comment: line.slice(1).trimStart() }
    else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    else if (line === '' && data.length > 0) {
      yield { data: data.join('\n') }
      data = []
    }
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of readTexts(body)) {
    // A trailing carriage return may be the first half of a line ending.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield* [rest.replace(/\r$/, ''), '']
}

/** Not `for await` over the stream: Safari's streams are not async iterable. */
async function* readTexts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // The caller stopped reading and needs no more; a broken stream was already reported by `read`.
    await reader.cancel().catch(() => undefined)
  }
}
