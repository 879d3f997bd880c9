import { definedFields } from '../../domain/defined-fields.ts'
import {
  type ConversationMemory,
  isMemoryError,
  type JsonObject,
  type NewMessage,
  type RecollectMetadata,
} from '../../index.ts'
import type { ServerParts } from '../server-parts.ts'
import type { RememberedRequest } from './remember-request.ts'
import { identify, toAnswer, type WireMessage } from './transcript.ts'

/** An answer that was passed through, and how it ended. */
export interface PassedAnswer extends ReadAnswer {
  readonly ending: 'complete' | 'stopped' | 'failed'
}

interface Passing {
  readonly contentType: string | null
  /** Called when the client disconnects: the rest is not needed. */
  readonly leave: () => void
  /** Closes the connection to the client, so that a partial answer does not look complete. */
  readonly destroyConnection?: () => void
  readonly onEnd: (answer: PassedAnswer) => void
}

/** Passes bytes through on demand and reads them on the way. */
export function passOn(
  body: ReadableStream<Uint8Array>,
  { contentType, leave, destroyConnection, onEnd }: Passing,
): ReadableStream<Uint8Array> {
  const source = body.getReader()
  const answer = new AnswerReader(contentType)
  let isOver = false
  const end = (ending: PassedAnswer['ending']) => {
    if (isOver) return
    isOver = true
    const read = answer.end()
    onEnd({ ...read, ending: ending === 'complete' && !read.isWhole ? 'failed' : ending })
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read()
        if (done) {
          end('complete')
          controller.close()
        } else {
          answer.take(value)
          controller.enqueue(value)
        }
      } catch (error) {
        end('failed')
        // Otherwise the server would append an error to the answer's bytes and end it as if it were complete.
        if (destroyConnection === undefined) controller.error(error)
        else destroyConnection()
      }
    },
    cancel() {
      end('stopped')
      leave()
    },
  })
}

// Reads an answer while it is passed through, streamed or whole. Anything unreadable is skipped: the client
// gets all bytes regardless.

interface ReadAnswer {
  readonly message: WireMessage
  /** Whether the answer is complete. */
  readonly isWhole: boolean
  readonly promptTokens?: number
}

interface Call {
  id: string
  name: string
  arguments: string
}

type Fields = Readonly<Record<string, unknown>>

/** Longer answers are passed through without being recorded. */
const MOST_CHARACTERS = 4_000_000

class AnswerReader {
  readonly #decoder = new TextDecoder()
  readonly #isStream: boolean
  #buffer = ''
  #text = ''
  #thought = ''
  readonly #calls: Call[] = []
  #isWhole = false
  #promptTokens: number | undefined

  constructor(contentType: string | null) {
    this.#isStream = contentType?.includes('text/event-stream') === true
  }

  take(bytes: Uint8Array): void {
    if (this.#buffer.length + this.#text.length > MOST_CHARACTERS) return
    this.#buffer += this.#decoder.decode(bytes, { stream: true })
    if (!this.#isStream) return
    const lines = this.#buffer.split(/\r\n|\r|\n/)
    this.#buffer = lines.pop() ?? ''
    for (const line of lines) this.#readLine(line)
  }

  end(): ReadAnswer {
    if (this.#isStream) this.#readLine(this.#buffer)
    else this.#readWhole(parse(this.#buffer))
    const calls = this.#calls.filter((call) => call !== undefined && call.name !== '')
    return {
      message: {
        content: this.#text,
        reasoning_content: this.#thought,
        tool_calls: calls.map(({ id, ...written }) => ({ id, type: 'function', function: written })),
      },
      isWhole: this.#isWhole,
      ...(this.#promptTokens !== undefined && { promptTokens: this.#promptTokens }),
    }
  }

  #readLine(line: string): void {
    if (!line.startsWith('data:')) return
    const text = line.slice('data:'.length).trim()
    if (text === '[DONE]') {
      this.#isWhole = true
      return
    }
    const chunk = parse(text)
    this.#readUsage(chunk)
    const choice = firstChoice(chunk)
    if (typeof choice['finish_reason'] === 'string') this.#isWhole = true
    this.#add(fieldsOf(choice['delta']))
  }

  #readWhole(completion: Fields): void {
    this.#readUsage(completion)
    const choice = firstChoice(completion)
    this.#isWhole = 'message' in choice
    this.#add(fieldsOf(choice['message']))
  }

  #add(delta: Fields): void {
    const { content, refusal, tool_calls: calls } = delta
    const thought = delta['reasoning_content'] ?? delta['reasoning']
    const said = content ?? refusal
    if (typeof said === 'string') this.#text += said
    if (typeof thought === 'string') this.#thought += thought
    if (Array.isArray(calls)) for (const [i, call] of calls.entries()) this.#addCall(fieldsOf(call), i)
  }

  /** The fragments of a tool call arrive one after the other, identified by index. */
  #addCall(call: Fields, i: number): void {
    const number = typeof call['index'] === 'number' && call['index'] < 1000 ? call['index'] : i
    const { name, arguments: written } = fieldsOf(call['function'])
    this.#calls[number] ??= { id: '', name: '', arguments: '' }
    const known = this.#calls[number] as Call
    if (typeof call['id'] === 'string') known.id = call['id']
    if (typeof name === 'string') known.name += name
    if (typeof written === 'string') known.arguments += written
  }

  #readUsage({ usage }: Fields): void {
    const { prompt_tokens: tokens } = fieldsOf(usage)
    if (typeof tokens === 'number' && tokens > 0) this.#promptTokens = tokens
  }
}

/** If there are several choices, the conversation continues with the first. */
function firstChoice({ choices }: Fields): Fields {
  if (!Array.isArray(choices)) return {}
  return fieldsOf(choices.find((choice) => (fieldsOf(choice)['index'] ?? 0) === 0))
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

function parse(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

type KeepingParts = Pick<ServerParts, 'metrics' | 'log' | 'corrections'>

/** Records an answer that was passed through, unless it is empty. */
export async function keepAnswer(
  { metrics, log, corrections }: KeepingParts,
  remembered: RememberedRequest,
  { message, ending, promptTokens }: PassedAnswer,
): Promise<void> {
  const { handle, model, context, answerId, replaces } = remembered
  if (context !== undefined && promptTokens !== undefined) {
    metrics.counted(context.receipt.tokens, promptTokens)
    corrections.learn(model, context.receipt.tokens, promptTokens)
  }
  const answer = toAnswer(message)
  if (answer.content === '') return
  try {
    const receiptId = await keptReceipt(remembered, log)
    const stamp: RecollectMetadata = {
      ...(ending !== 'complete' && { ending }),
      ...definedFields({ receiptId }),
      ...(replaces && { replaces: { id: replaces.id, position: replaces.position } }),
    }
    const metadata =
      Object.keys(stamp).length === 0 ? undefined : { recollect: stamp as unknown as JsonObject }
    await recordAnswer(handle, { ...answer, ...definedFields({ metadata }) }, answerId(identify(answer)))
    metrics.recorded(1)
  } catch (error) {
    // The client already has its answer, so the error can only be logged.
    log.bug(error, context?.receipt.id ?? '')
  }
}

/** Returns the receipt id; if the receipt could not be saved, the answer is recorded without it. */
async function keptReceipt(
  { context }: RememberedRequest,
  log: KeepingParts['log'],
): Promise<string | undefined> {
  try {
    return (await context?.receiptSaved) === true ? context?.receipt.id : undefined
  } catch (error) {
    log.bug(error, context?.receipt.id ?? '')
    return undefined
  }
}

async function recordAnswer(handle: ConversationMemory, answer: NewMessage, id: string): Promise<void> {
  try {
    await handle.record({ ...answer, id }, { derive: 'background' })
  } catch (error) {
    // The same answer to the same messages exists in another conversation, or earlier in this one.
    if (!isMemoryError(error) || error.code !== 'conflict') throw error
    await handle.record(answer, { derive: 'background' })
  }
}
