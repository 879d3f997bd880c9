// A chat at a terminal. Enter sends. Pasted text is one message even if it has several lines; a backslash at the end of
// a line continues the message. Ctrl-C stops the answer, then clears the line, then leaves.

import { createInterface, type Interface } from 'node:readline'
import { bold, dim } from '../terminal.ts'
import { CHAT_COMMANDS, readCommand } from './chat-commands.ts'
import type { ChatSession } from './chat-session.ts'

const PROMPT = `${bold('you')} › `
const CONTINUATION = dim('  … › ')
/** Bracketed paste: the terminal marks where pasted text starts and ends. */
const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'

export async function chatOnTerminal(session: ChatSession): Promise<void> {
  const { stdin: input, stdout: output } = process
  const history = [...(await session.questions())]
  const terminal = createInterface({ input, output, prompt: PROMPT, history, historySize: 1000 })
  output.write(PASTE_ON)
  try {
    await new TerminalChat(session, terminal).run()
  } finally {
    output.write(PASTE_OFF)
    terminal.close()
  }
}

class TerminalChat {
  readonly #session: ChatSession
  readonly #terminal: Interface
  readonly #pending: string[] = []
  #lines: string[] = []
  #isPasting = false
  #isOver = false
  #wake: () => void = () => undefined

  constructor(session: ChatSession, terminal: Interface) {
    this.#session = session
    this.#terminal = terminal
    terminal.on('line', (line) => this.#takeLine(line))
    terminal.on('SIGINT', () => this.#interrupt())
    terminal.on('close', () => this.#leave())
    process.stdin.on('keypress', (_text: string | undefined, key: { name?: string }) => {
      if (key.name === 'paste-start') this.#isPasting = true
      if (key.name === 'paste-end') this.#isPasting = false
    })
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      const text = this.#pending.shift()
      if (text === undefined) await this.#nextMessage()
      else await this.#handleInput(text)
    }
  }

  #nextMessage(): Promise<void> {
    this.#terminal.setPrompt(PROMPT)
    this.#terminal.prompt()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  async #handleInput(text: string): Promise<void> {
    const command = readCommand(text)
    if (command?.name === 'quit') return this.#leave()
    if (command !== undefined) return CHAT_COMMANDS[command.name]?.run(this.#session, command.rest)
    if (/^\/\w+\s*$/.test(text))
      return this.#session.screen.note(`Unknown command ${text.trim()}. Type /help for a list.`)
    await this.#session.ask(text)
  }

  #takeLine(line: string): void {
    const isContinued = line.endsWith('\\')
    this.#lines.push(isContinued ? line.slice(0, -1) : line)
    if (this.#isPasting || isContinued) {
      this.#terminal.setPrompt(CONTINUATION)
      this.#terminal.prompt()
      return
    }
    const text = this.#lines.join('\n').trim()
    this.#lines = []
    if (text !== '') this.#pending.push(text)
    this.#wake()
  }

  #interrupt(): void {
    if (this.#session.stop()) return
    if (this.#terminal.line === '' && this.#lines.length === 0) {
      this.#leave()
      return
    }
    this.#lines = []
    this.#terminal.write(null, { ctrl: true, name: 'e' })
    this.#terminal.write(null, { ctrl: true, name: 'u' })
    this.#wake()
  }

  #leave(): void {
    this.#isOver = true
    this.#session.stop()
    this.#wake()
  }
}
