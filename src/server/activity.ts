// What went on in the last days: messages and their tokens, contexts made and what they were spent on, and what sending
// the whole history each time would have cost. Read from the record itself, conversation by conversation, the last
// used first; a workspace that is too busy is told in part.

import type { Conversation, Memory, Message, Receipt } from '../index.ts'

export interface ActivityDay {
  /** Of the calendar in UTC. */
  readonly day: string
  readonly messages: number
  readonly tokens: number
  readonly contexts: number
  /** What models were given … */
  readonly contextTokens: number
  /** … and what the whole conversations would have been. */
  readonly historyTokens: number
}

export interface Activity {
  readonly days: readonly ActivityDay[]
  /** Of the contexts, by section. */
  readonly sections: Readonly<Record<string, number>>
  /** There was more than is looked at. */
  readonly isPartial: boolean
}

interface Span {
  readonly days: number
  readonly now: Date
}

const DAY_MS = 86_400_000
/** Read in about a second; enough for a person, and for a look at what a team does. */
const MOST_CONVERSATIONS = 400
const MOST_MESSAGES = 40_000
const PAGE = 1000
const MOST_RECEIPTS = 200

export async function readActivity(memory: Memory, { days, now }: Span): Promise<Activity> {
  const from = new Date(now.getTime() - (days - 1) * DAY_MS)
  from.setUTCHours(0, 0, 0, 0)
  const counting = new Counting(from, days)
  const { items, next } = await memory.conversations({ archived: 'with', limit: MOST_CONVERSATIONS })
  const used = items.filter(({ lastUsedAt }) => lastUsedAt >= from)
  for (const conversation of used) {
    if (counting.messages >= MOST_MESSAGES) break
    await countConversation(memory, conversation, counting)
  }
  const isCut = next !== undefined && used.length === items.length
  return { ...counting.told(), isPartial: isCut || counting.messages >= MOST_MESSAGES }
}

async function countConversation(memory: Memory, { id }: Conversation, counting: Counting): Promise<void> {
  const handle = memory.conversation(id)
  const read = new Map<number, Message>()
  let before: number | undefined
  do {
    const page = await handle.messages({
      direction: 'backwards',
      limit: PAGE,
      ...(before !== undefined && { before }),
    })
    for (const message of page) read.set(message.position, message)
    const [first] = page
    before =
      page.length === PAGE && first !== undefined && counting.covers(first) ? first.position : undefined
  } while (before !== undefined && read.size + counting.messages < MOST_MESSAGES)
  for (const message of read.values()) counting.addMessage(message)
  for (const receipt of await handle.receipts({ limit: MOST_RECEIPTS }))
    counting.addReceipt(receipt, read.get(receipt.messageCount - 1))
}

type Sums = { -readonly [Name in keyof ActivityDay]: ActivityDay[Name] }

class Counting {
  messages = 0
  readonly #from: Date
  readonly #days: Map<string, Sums> = new Map()
  readonly #sections: Map<string, number> = new Map()

  constructor(from: Date, days: number) {
    this.#from = from
    for (let i = 0; i < days; i++) {
      const day = dayOf(new Date(from.getTime() + i * DAY_MS))
      this.#days.set(day, { day, messages: 0, tokens: 0, contexts: 0, contextTokens: 0, historyTokens: 0 })
    }
  }

  covers({ recordedAt }: Message): boolean {
    return recordedAt >= this.#from
  }

  addMessage({ createdAt, tokens }: Message): void {
    this.messages += 1
    const sums = this.#days.get(dayOf(createdAt))
    if (sums === undefined) return
    sums.messages += 1
    sums.tokens += tokens
  }

  addReceipt({ createdAt, tokens, parts }: Receipt, last: Message | undefined): void {
    const sums = this.#days.get(dayOf(createdAt))
    if (sums === undefined) return
    sums.contexts += 1
    sums.contextTokens += tokens
    // Where the conversation is shorter than its context, memory of elsewhere came in: nothing was saved.
    sums.historyTokens += Math.max(tokens, last === undefined ? 0 : last.tokensBefore + last.tokens)
    for (const part of parts)
      this.#sections.set(part.section, (this.#sections.get(part.section) ?? 0) + part.tokens)
  }

  told(): Omit<Activity, 'isPartial'> {
    return { days: [...this.#days.values()], sections: Object.fromEntries(this.#sections) }
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
