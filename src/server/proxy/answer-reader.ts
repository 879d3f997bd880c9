// Reads an answer while it is passed through, streamed or whole. Anything unreadable is skipped: the client
// gets all bytes regardless.

import type { WireMessage } from './transcript.ts'

export interface ReadAnswer {
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

export class AnswerReader {
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
