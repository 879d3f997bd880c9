// A chat at a terminal. Enter sends. Pasted text is one message even if it has several lines; a backslash at the end of
// a line continues the message. Ctrl-C stops the answer, then clears the line, then leaves.

import { createInterface, type Interface } from 'node:readline'
import { printReceipt } from '../commands/context.ts'
import { find, printSearchResult } from '../commands/conversations.ts'
import { printFacts } from '../commands/facts.ts'
import { printRecalled } from '../commands/recall.ts'
import { printTopics } from '../commands/topics.ts'
import { bold, countOf, dim, print } from '../terminal.ts'
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

// Slash commands of the chat. They are never sent to the model.

interface ChatCommand {
  readonly usage: string
  readonly about: string
  run(session: ChatSession, rest: string): Promise<void> | void
}

const NO_QUESTION = 'No question asked yet.'
const SEARCH_LIMIT = 10

export const CHAT_COMMANDS: Readonly<Record<string, ChatCommand>> = {
  memory: {
    usage: '/memory',
    about: 'show the context of the last answer and its token budget',
    run({ remembered, screen }) {
      screen.answer({ receipt: remembered?.receipt ?? null }, () =>
        remembered === undefined ? print(NO_QUESTION) : printReceipt(remembered.receipt),
      )
    },
  },
  why: {
    usage: '/why',
    about: 'show what was recalled for the last question, and why',
    run: showWhy,
  },
  topics: {
    usage: '/topics',
    about: 'list the topics of this conversation',
    async run({ conversation, screen }) {
      const topics =
        (await conversation.get()) === undefined ? [] : await conversation.topics.list().toArray()
      screen.answer({ topics }, () => printTopics(topics))
    },
  },
  facts: {
    usage: '/facts',
    about: 'list the current facts',
    async run({ memory, screen }) {
      const facts = await memory.facts.list().toArray()
      screen.answer({ facts }, () => (facts.length === 0 ? print('No facts yet.') : printFacts(facts)))
    },
  },
  search: {
    usage: '/search <words>',
    about: 'search messages in all conversations',
    async run({ memory, screen }, words) {
      if (words === '') return screen.note('Usage: /search <words>, for example /search lisbon')
      const found = await find(memory, words, { limit: SEARCH_LIMIT })
      screen.answer(found, () => printSearchResult(found))
    },
  },
  new: { usage: '/new', about: 'start a new conversation', run: (session) => startNew(session) },
  open: { usage: '/open <id>', about: 'switch to another conversation', run: open },
  help: {
    usage: '/help',
    about: 'show this list',
    run({ screen }) {
      const lines = Object.values(CHAT_COMMANDS).map(({ usage, about }) => `${usage.padEnd(18)} ${about}`)
      screen.answer({ commands: Object.keys(CHAT_COMMANDS) }, () => print(...lines))
    },
  },
  quit: { usage: '/quit', about: 'leave the chat (or press Ctrl-D)', run: () => undefined },
}

/** Parses a line as a command, or returns undefined. */
export function readCommand(line: string): { readonly name: string; readonly rest: string } | undefined {
  const found = /^\/(\w+)(?:\s+(.*))?$/s.exec(line.trim())
  const name = found?.[1]
  if (name === undefined || !Object.hasOwn(CHAT_COMMANDS, name)) return undefined
  return { name, rest: found?.[2]?.trim() ?? '' }
}

function showWhy({ remembered, screen }: ChatSession): void {
  const { recalled = [], question } = remembered ?? {}
  screen.answer({ question: question ?? null, recalled }, () => {
    if (remembered === undefined) return print(NO_QUESTION)
    if (recalled.length === 0) return print('Nothing was recalled for the last question.')
    printRecalled({ items: recalled, notices: [], question: question ?? { asked: '' } })
  })
}

/** The id contains the current time, to distinguish conversations in a list. */
function startNew(session: ChatSession): void {
  session.moveTo(newConversation(new Date()))
  const { conversationId: id } = session
  session.screen.answer({ conversation: id }, () => session.screen.note(`conversation ${id}`))
}

const newConversation = (now: Date): string =>
  `chat-${now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`

async function open(session: ChatSession, id: string): Promise<void> {
  if (id === '')
    return session.screen.note('Usage: /open <id>, for example /open trip. List them with: recollect list')
  const conversation = await session.memory.conversation(id).get()
  if (conversation === undefined)
    return session.screen.note(`No conversation "${id}". List them with: recollect list`)
  session.moveTo(id)
  const { title, messageCount } = conversation
  session.screen.answer({ conversation: id }, () =>
    session.screen.note(
      `conversation ${id}${title === undefined ? '' : `, ${title}`}: ${countOf(messageCount, 'message')}`,
    ),
  )
}
