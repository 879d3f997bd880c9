// Server-sent events, as the chat answers them: lines `data: …`, an empty line ends an event, lines that begin
// with a colon are comments. A piece of the stream may end anywhere, also within a letter or a line's end.

/** The data of each event, and the comments, as they come. */
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
    // A carriage return at the end may be the first half of a line's end.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield* [rest.replace(/\r$/, ''), '']
}

/** Not `for await` over the stream itself: Safari's has no such reading. */
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
    // Whoever stops reading wants no more of it; a stream that broke has told so by `read`.
    await reader.cancel().catch(() => undefined)
  }
}
