import { type Conversation, type Memory, type Message, type NewMessage, openMemory } from '../../src/index.ts'
import { fingerprint } from './chatter.mjs'

interface Kept {
  readonly conversation: string
  readonly position: number
  readonly fingerprint: string
}

export interface Audit {
  /** Acknowledged, but not there. */
  readonly lost: readonly string[]
  /** There, but not as it should be. */
  readonly wrong: readonly string[]
}

export const ALL_WELL: Audit = { lost: [], wrong: [] }

/** Records what was acknowledged to the writers of one file, and audits the file against it. */
export class Ledger {
  readonly #kept = new Map<string, Kept>()
  readonly #forks = new Map<string, number>()
  /** False until the erase was acknowledged; until then the message may be there or erased. */
  readonly #erased = new Map<string, boolean>()
  readonly #refused = new Set<string>()

  /** How many messages were acknowledged. */
  get size(): number {
    return this.#kept.size
  }

  /** How many were compressed, as far as writers could report it. */
  compressed = 0

  /** Parses a line of writer.mjs. */
  note(line: string): void {
    const [deed, id = '', ...rest] = line.split(' ')
    const [conversation = '', position, words = ''] = rest
    if (deed === 'kept') this.#kept.set(id, { conversation, position: Number(position), fingerprint: words })
    if (deed === 'forked') this.#forks.set(id, Number(rest[0]))
    if (deed === 'compressed') this.compressed += Number(id)
    if (deed === 'erasing') this.#erased.set(id, false)
    if (deed === 'erased') this.#erased.set(id, true)
  }

  /** What `record` returned for its input. */
  keep(given: readonly NewMessage[], stored: readonly Message[]): void {
    for (const [i, message] of given.entries()) {
      const { id, conversationId: conversation, position } = stored[i] as Message
      this.#kept.set(id, { conversation, position, fingerprint: fingerprint(message) })
    }
  }

  /** What `record` threw on. */
  refuse(given: readonly { readonly id: string }[]): void {
    for (const { id } of given) this.#refused.add(id)
  }

  async auditFile(path: string): Promise<Audit> {
    const memory = await openMemory(path)
    try {
      return await this.audit(memory)
    } finally {
      await memory.close()
    }
  }

  async audit(memory: Memory): Promise<Audit> {
    const wrong = (await memory.maintenance.check()).flatMap(({ check, problem }) =>
      problem ? [`${check}: ${problem}`] : [],
    )
    const found = new Map<string, Message>()
    const conversations = new Map<string, Conversation>()
    for await (const conversation of readConversations(memory)) {
      conversations.set(conversation.id, conversation)
      const messages: Message[] = []
      for await (const message of memory.conversation(conversation.id).messages.list()) messages.push(message)
      wrong.push(...this.#findWrong(conversation, messages), ...findPartBatches(messages))
      for (const message of messages) found.set(message.id, message)
    }
    return { lost: [...this.#findLost(found), ...this.#findLostForks(conversations)], wrong }
  }

  #findWrong(conversation: Conversation, messages: readonly Message[]): string[] {
    return [
      ...(conversation.messageCount === messages.length
        ? []
        : [`${conversation.id} counts its messages wrong`]),
      ...messages.filter(({ position }, i) => position !== i).map(({ id }) => `there is a gap before ${id}`),
      ...messages
        .filter(({ id }) => this.#refused.has(id))
        .map(({ id }) => `${id} was refused, and is there`),
      ...messages.filter((message) => !this.#isWhole(message)).map(({ id }) => `${id} has other words`),
    ]
  }

  #isWhole(message: Message): boolean {
    if (message.erasedAt === undefined) return message.metadata?.['fingerprint'] === fingerprint(message)
    return message.content === '' && this.#erased.has(message.copyOf ?? message.id)
  }

  *#findLost(found: ReadonlyMap<string, Message>): Iterable<string> {
    for (const [id, kept] of this.#kept) {
      const message = found.get(id)
      if (message === undefined) {
        yield `${id} is not there`
      } else if (message.conversationId !== kept.conversation || message.position !== kept.position) {
        yield `${id} is not at its place`
      } else if (message.erasedAt === undefined && this.#erased.get(id) === true) {
        yield `${id} is not erased`
      } else if (message.erasedAt === undefined && fingerprint(message) !== kept.fingerprint) {
        yield `${id} has other words than were acknowledged`
      }
    }
  }

  *#findLostForks(conversations: ReadonlyMap<string, Conversation>): Iterable<string> {
    for (const [id, count] of this.#forks) {
      if ((conversations.get(id)?.messageCount ?? 0) < count) yield `the fork ${id} is not there`
    }
  }
}

/** A fork may end in the middle of a batch; the original may not. */
function findPartBatches(messages: readonly Message[]): string[] {
  const missing = new Map<unknown, number>()
  for (const { metadata, copyOf } of messages) {
    const batch = metadata?.['batch']
    if (batch === undefined || copyOf !== undefined) continue
    missing.set(batch, (missing.get(batch) ?? Number(metadata?.['size'])) - 1)
  }
  return [...missing]
    .filter(([, count]) => count !== 0)
    .map(([batch, count]) => `${count} are missing in batch ${batch}`)
}

async function* readConversations(memory: Memory): AsyncIterable<Conversation> {
  for (let cursor: string | undefined; ; ) {
    const page = await memory.conversations.list({
      archived: 'with',
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    })
    yield* page.items
    cursor = page.next
    if (cursor === undefined) return
  }
}
