// The state of a chat: the current conversation, and what was remembered for the last answer.

import {
  type ConversationMemory,
  isMemoryError,
  type Memory,
  type Recalled,
  type Receipt,
  readableText,
  type SearchedQuestion,
} from '../../index.ts'
import { red } from '../terminal.ts'
import type { ChatScreen } from './chat-screen.ts'

interface Remembered {
  readonly receipt: Receipt
  readonly recalled: readonly Recalled[]
  readonly question?: SearchedQuestion
}

export interface ChatSettings {
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
