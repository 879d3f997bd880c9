import type { CompletionRequest, LanguageModel } from '../../src/index.ts'

export interface PacedModel extends LanguageModel {
  readonly requests: readonly CompletionRequest[]
  /** Lets one more piece out; an error breaks the stream. */
  give(piece: string | Error): void
  /** Ends the answer. */
  end(): void
}

/** A language model that writes when the test lets it: to look at an answer while it comes. */
export function pacedModel(): PacedModel {
  const requests: CompletionRequest[] = []
  const pieces: (string | Error | undefined)[] = []
  let wake: () => void = () => undefined
  const add = (piece: string | Error | undefined) => {
    pieces.push(piece)
    wake()
  }
  async function* stream(request: CompletionRequest): AsyncGenerator<string> {
    requests.push(request)
    request.signal?.addEventListener('abort', () => wake())
    while (true) {
      request.signal?.throwIfAborted()
      if (pieces.length === 0) {
        await new Promise<void>((next) => {
          wake = next
        })
        continue
      }
      const piece = pieces.shift()
      if (piece === undefined) return
      if (piece instanceof Error) throw piece
      yield piece
    }
  }
  return {
    name: 'paced',
    requests,
    give: add,
    end: () => add(undefined),
    stream,
    complete: async () => ASIDE,
  }
}

/** What work in the background is told: it shall not use up the lines of the chat. */
const ASIDE = 'Nothing.'

/** A language model that says its lines, one for each turn of a chat. */
export function chattingModel(...lines: readonly string[]): LanguageModel & Pick<PacedModel, 'requests'> {
  const requests: CompletionRequest[] = []
  return {
    name: 'chatting',
    requests,
    complete: async () => ASIDE,
    async *stream(request) {
      const line = lines[requests.length] ?? lines.at(-1) ?? ''
      requests.push(request)
      yield line
    },
  }
}
