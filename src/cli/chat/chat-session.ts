// The state of a chat: the current conversation, and what was remembered for the last answer.

import {
  type ChatEvent,
  type ConversationMemory,
  isMemoryError,
  type Memory,
  type Recalled,
  type Receipt,
  readableText,
  type SearchedQuestion,
} from '../../index.ts'
import { countOf, dim, print, red, yellow } from '../terminal.ts'

interface Remembered {
  readonly receipt: Receipt
  readonly recalled: readonly Recalled[]
  readonly question?: SearchedQuestion
}

interface ChatSettings {
  readonly budgetTokens?: number
  readonly system?: string
}

interface SessionOptions {
  readonly memory: Memory
  readonly conversation: string
  readonly screen: ChatScreen
  readonly settings: ChatSettings
}

/** Questions available through the arrow keys. */
const HISTORY = 100

export class ChatSession {
  readonly memory: Memory
  readonly screen: ChatScreen
  readonly #settings: ChatSettings
  #conversation: string
  #remembered: Remembered | undefined
  #answering: AbortController | undefined

  constructor({ memory, conversation, screen, settings }: SessionOptions) {
    this.memory = memory
    this.screen = screen
    this.#conversation = conversation
    this.#settings = settings
  }

  get conversation(): ConversationMemory {
    return this.memory.conversation(this.#conversation)
  }

  get conversationId(): string {
    return this.#conversation
  }

  /** For the last answer; undefined before the first. */
  get remembered(): Remembered | undefined {
    return this.#remembered
  }

  moveTo(conversation: string): void {
    this.#conversation = conversation
    this.#remembered = undefined
  }

  /** Runs one turn. A failure is printed, and the chat continues. Returns whether the question was answered. */
  async ask(message: string): Promise<boolean> {
    const answering = new AbortController()
    this.#answering = answering
    let isAnswered = false
    try {
      const turn = this.conversation.chat({ message, ...this.#settings, signal: answering.signal })
      for await (const event of turn) {
        if (event.type === 'remembered') this.#remembered = event
        if (event.type === 'answered') isAnswered = event.ending !== 'failed'
        this.screen.show(event)
      }
    } catch (error) {
      if (!isMemoryError(error)) throw error
      const hint = error.hint === undefined ? '' : ` (${error.hint})`
      process.stderr.write(`${red('error:')} ${error.message}${hint}\n`)
    } finally {
      this.#answering = undefined
    }
    return isAnswered
  }

  /** Stops the current answer. Returns false if nothing is being answered. */
  stop(): boolean {
    if (this.#answering === undefined) return false
    this.#answering.abort()
    return true
  }

  /** Earlier questions of this conversation, newest first. */
  async questions(): Promise<readonly string[]> {
    if ((await this.conversation.get()) === undefined) return []
    const messages = (await this.conversation.messages.list({ limit: HISTORY * 2, direction: 'backwards' }))
      .items
    const questions = messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => readableText(content))
    return questions.toReversed().filter((text) => !text.includes('\n'))
  }
}

// Output of a chat: text for people, or one line of JSON per event.

interface ChatScreen {
  show(event: ChatEvent): void
  /** The result of a slash command: printed with `show`, or `value` as JSON. */
  answer(value: unknown, show: () => void): void
  note(text: string): void
}

/** One line per event, for programs. */
export const jsonScreen: ChatScreen = {
  show: (event) => print(JSON.stringify(event)),
  answer: (value) => print(JSON.stringify(value)),
  note: () => undefined,
}

/** Removes control characters, so that no text can move the cursor or change colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point
const toPlain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

export class TextScreen implements ChatScreen {
  readonly #shownNotices = new Set<string>()

  show(event: ChatEvent): void {
    if (event.type === 'text') process.stdout.write(toPlain(event.text))
    else if (event.type === 'notice') this.#notice(event)
    else if (event.type === 'searched') this.note(`searched the web: ${countOf(event.notes.length, 'note')}`)
    else if (event.type === 'answered') this.#end(event)
  }

  answer(_value: unknown, show: () => void): void {
    show()
  }

  note(text: string): void {
    process.stderr.write(`${dim(toPlain(text))}\n`)
  }

  /** The "no model" notice is shown once: the answers mention it themselves. */
  #notice({ code, text, hint }: Extract<ChatEvent, { type: 'notice' }>): void {
    if (code === 'no-model' && this.#shownNotices.has(code)) return
    this.#shownNotices.add(code)
    process.stderr.write(`${yellow(toPlain(text))}${hint === undefined ? '' : ` ${dim(toPlain(hint))}`}\n`)
  }

  #end({ ending, message, error }: Extract<ChatEvent, { type: 'answered' }>): void {
    print('')
    if (ending === 'stopped')
      this.note(message === undefined ? 'stopped' : 'stopped, the partial answer is saved')
    if (ending !== 'failed') return
    const hint = error?.hint === undefined ? '' : ` ${dim(toPlain(error.hint))}`
    process.stderr.write(`${red('the model failed:')} ${toPlain(error?.message ?? 'unknown error')}${hint}\n`)
  }
}
