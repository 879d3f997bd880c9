// What begins with a slash is for the chat itself and never reaches the model.

import { find, printFound } from '../commands/search.ts'
import { printTopics } from '../commands/topics.ts'
import { printReceipt } from '../print-context.ts'
import { printFacts } from '../print-facts.ts'
import { printRecalled } from '../print-recalled.ts'
import { countOf, print } from '../terminal.ts'
import type { ChatSession } from './chat-session.ts'

interface ChatCommand {
  readonly words: string
  readonly about: string
  run(session: ChatSession, rest: string): Promise<void> | void
}

const NOT_YET = 'Nothing was asked yet.'
const FOUND = 10

export const CHAT_COMMANDS: Readonly<Record<string, ChatCommand>> = {
  memory: {
    words: '/memory',
    about: 'what went into the last answer, within which budget',
    run({ remembered, screen }) {
      screen.tell({ receipt: remembered?.receipt ?? null }, () =>
        remembered === undefined ? print(NOT_YET) : printReceipt(remembered.receipt),
      )
    },
  },
  why: {
    words: '/why',
    about: 'what was recalled for the last question, and for what reasons',
    run: showWhy,
  },
  topics: {
    words: '/topics',
    about: 'what this conversation is about',
    async run({ conversation, screen }) {
      const topics =
        (await conversation.get()) === undefined ? [] : await conversation.topics.list().toArray()
      screen.tell({ topics }, () => printTopics(topics))
    },
  },
  facts: {
    words: '/facts',
    about: 'what is known now',
    async run({ memory, screen }) {
      const facts = await memory.facts.list().toArray()
      screen.tell({ facts }, () => (facts.length === 0 ? print('No facts yet.') : printFacts(facts)))
    },
  },
  search: {
    words: '/search <words>',
    about: 'messages that have these words, in all conversations',
    async run({ memory, screen }, words) {
      if (words === '') return screen.note('Say what to search for: /search lisbon')
      const found = await find(memory, words, { limit: FOUND })
      screen.tell(found, () => printFound(found))
    },
  },
  new: { words: '/new', about: 'begin another conversation', run: (session) => begin(session) },
  open: { words: '/open <id>', about: 'go on with another conversation', run: open },
  help: {
    words: '/help',
    about: 'this list',
    run({ screen }) {
      const lines = Object.values(CHAT_COMMANDS).map(({ words, about }) => `${words.padEnd(18)} ${about}`)
      screen.tell({ commands: Object.keys(CHAT_COMMANDS) }, () => print(...lines))
    },
  },
  quit: { words: '/quit', about: 'leave; Ctrl-D does it, too', run: () => undefined },
}

/** The command that a line is, if it is one. */
export function readCommand(line: string): { readonly name: string; readonly rest: string } | undefined {
  const found = /^\/(\w+)(?:\s+(.*))?$/s.exec(line.trim())
  const name = found?.[1]
  if (name === undefined || !Object.hasOwn(CHAT_COMMANDS, name)) return undefined
  return { name, rest: found?.[2]?.trim() ?? '' }
}

function showWhy({ remembered, screen }: ChatSession): void {
  const { recalled = [], question } = remembered ?? {}
  screen.tell({ question: question ?? null, recalled }, () => {
    if (remembered === undefined) return print(NOT_YET)
    if (recalled.length === 0) return print('Nothing was recalled for it.')
    printRecalled({ items: recalled, notices: [], question: question ?? { asked: '' } })
  })
}

/** Named by the moment, so that it can be told apart in a list. */
function begin(session: ChatSession): void {
  session.moveTo(newConversation(new Date()))
  const { conversationId: id } = session
  session.screen.tell({ conversation: id }, () => session.screen.note(`conversation ${id}`))
}

export const newConversation = (now: Date): string =>
  `chat-${now.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')}`

async function open(session: ChatSession, id: string): Promise<void> {
  if (id === '') return session.screen.note('Say which: /open trip. recollect list shows them.')
  const conversation = await session.memory.conversation(id).get()
  if (conversation === undefined)
    return session.screen.note(`There is no conversation "${id}"; recollect list shows them.`)
  session.moveTo(id)
  const { title, messageCount } = conversation
  session.screen.tell({ conversation: id }, () =>
    session.screen.note(
      `conversation ${id}${title === undefined ? '' : `, ${title}`}: ${countOf(messageCount, 'message')}`,
    ),
  )
}
