import type { CompletionRequest, LanguageModel } from '../../src/index.ts'

export interface PacedModel extends LanguageModel {
  readonly requests: readonly CompletionRequest[]
  /** Emits one piece; an error fails the stream. */
  give(piece: string | Error): void
  /** Ends the reply. */
  end(): void
}

/** A language model that emits pieces when the test says so, to observe a reply while it streams. */
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

/** The reply to background work, so that it does not use up the lines of the chat. */
const ASIDE = 'Nothing.'

/** A language model that replies with its lines, one for each chat turn. */
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
