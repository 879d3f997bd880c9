// Clients as applications write them: each message has a key and is sent again, to another server, until one
// acknowledges it. A follower reads what the events say has changed.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet } from './fleet.ts'

const LONGEST_ANSWER_MS = 20_000
const RETRY_MS = 100
const PAUSE_MS = 30

export interface Acknowledged {
  readonly conversation: string
  readonly id: string
  readonly position: number
  readonly content: string
}

interface Recorded {
  readonly messages: readonly { readonly id: string; readonly position: number }[]
}

interface Sent {
  readonly conversation: string
  readonly contents: readonly string[]
  readonly key: string
}

/** Sends until a server acknowledges it; a permanent refusal is a failure. */
export async function send(
  fleet: Fleet,
  { conversation, contents, key }: Sent,
): Promise<readonly Acknowledged[]> {
  for (;;) {
    try {
      const response = await fetch(`${fleet.anyUrl}/api/conversations/${conversation}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ messages: contents.map((content) => ({ role: 'user', content })) }),
        signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
      })
      const body = await response.json()
      if (response.status === 201) {
        const { messages } = body as Recorded
        return messages.map(({ id, position }, i) => ({
          conversation,
          id,
          position,
          content: contents[i] ?? '',
        }))
      }
      if (response.status < 500) throw new Refused(JSON.stringify(body))
    } catch (error) {
      // It may have been written: the key makes the next attempt safe.
      if (error instanceof Refused) throw error
    }
    await sleep(RETRY_MS)
  }
}

class Refused extends Error {}

/** Writes to several conversations until it is aborted; returns everything that was acknowledged. */
export async function talk(
  fleet: Fleet,
  { name, conversations, signal }: { name: string; conversations: readonly string[]; signal: AbortSignal },
): Promise<readonly Acknowledged[]> {
  const acknowledged: Acknowledged[] = []
  for (let turn = 0; !signal.aborted; turn++) {
    const conversation = conversations[turn % conversations.length] ?? ''
    const contents = Array.from(
      { length: 1 + (turn % 3) },
      (_, i) => `${name} says ${turn}.${i}: ${TALK[(turn + i) % TALK.length]}`,
    )
    acknowledged.push(...(await send(fleet, { conversation, contents, key: `${name}-${turn}` })))
    await sleep(PAUSE_MS)
  }
  return acknowledged
}

const TALK = [
  'I am vegetarian, and we are in Lisbon in May.',
  'The invoices of the spring quarter do not add up.',
  'My sister Anna moved to Porto last year.',
  'Show me the top five customers by revenue.',
  'The castle opens at nine, and the train leaves at ten.',
]

/** Follows events of one server after the other, and reads the length of each conversation that changed. */
export class Follower {
  readonly counts: Map<string, number> = new Map()
  events = 0
  readonly #fleet: Fleet
  readonly #conversations: readonly string[]
  readonly #leaving = new AbortController()
  readonly #following: Promise<void>

  constructor(fleet: Fleet, { at, conversations }: { at: number; conversations: readonly string[] }) {
    this.#fleet = fleet
    this.#conversations = conversations
    this.#following = this.#follow(at)
  }

  async leave(): Promise<void> {
    this.#leaving.abort()
    await this.#following
  }

  async #follow(first: number): Promise<void> {
    for (let at = first; !this.#leaving.signal.aborted; at++) {
      try {
        await this.#listen(this.#fleet.urlOf(at % 4))
      } catch {
        // Killed, or not started yet: try the next one.
        await sleep(RETRY_MS)
      }
    }
  }

  async #listen(url: string): Promise<void> {
    const response = await fetch(`${url}/api/events`, { signal: this.#leaving.signal })
    let rest = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (rest + piece).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts)
        if (part.startsWith('data: ')) await this.#hear(url, JSON.parse(part.slice(6)))
    }
  }

  async #hear(url: string, { kind, id }: { kind: string; id?: string }): Promise<void> {
    this.events += 1
    const changed =
      kind === 'everything' ? this.#conversations : this.#conversations.filter((one) => one === id)
    for (const conversation of changed) await this.#read(url, conversation)
  }

  async #read(url: string, conversation: string): Promise<void> {
    const response = await fetch(`${url}/api/conversations/${conversation}`, {
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
    })
    if (response.status === 404) return
    const body = await response.json()
    // What could not be read is read again, with everything else, after the next connection.
    if (response.status !== 200) throw new Error(JSON.stringify(body))
    this.counts.set(conversation, (body as { messageCount: number }).messageCount)
  }
}
