// Inserts memory into the messages of a request at the same place as `context` does, and changes nothing
// else. Turns are left out only if the whole conversation would exceed the budget.

import type { Context, ConversationMemory, Receipt } from '../../index.ts'
import { type Entry, identify, type WireMessage } from './transcript.ts'

export interface Remembering {
  readonly messages: readonly WireMessage[]
  readonly entries: readonly Entry[]
  readonly handle: ConversationMemory
  readonly context: Context
  /** Position in the record where the request begins. */
  readonly from: number
}

/** The messages to send; undefined to send the request unchanged. */
export async function addMemory(remembering: Remembering): Promise<readonly WireMessage[] | undefined> {
  const { messages, entries, context } = remembering
  const { prefix, inline } = context.injected
  const dropped = await findDropped(remembering)
  if (prefix === undefined && inline === undefined && dropped.size === 0) return undefined
  const users = entries.filter(({ message, index }) => message.role === 'user' && !dropped.has(index))
  const [first, last] = [users[0]?.index, users.at(-1)?.index]
  return messages.flatMap((message, index) => {
    if (dropped.has(index)) return []
    const blocks = [index === first ? prefix : undefined, index === last ? inline : undefined]
    return [
      blocks.reduceRight((made, block) => (block === undefined ? made : putBefore(made, block)), message),
    ]
  })
}

function putBefore(message: WireMessage, block: string): WireMessage {
  const { content } = message
  if (Array.isArray(content)) return { ...message, content: [{ type: 'text', text: block }, ...content] }
  return { ...message, content: `${block}\n\n${typeof content === 'string' ? content : ''}` }
}

const NOTHING: ReadonlySet<number> = new Set()

/** Indexes of the messages between the first turns and the tail, if the receipt omits any of them. */
async function findDropped({
  entries,
  handle,
  context: { receipt },
  from,
}: Remembering): Promise<ReadonlySet<number>> {
  const tailFrom = Math.min(
    ...[...runsOf(receipt, 'tail'), ...runsOf(receipt, 'live')].map(([start]) => start),
  )
  if (!Number.isFinite(tailFrom) || tailFrom <= from) return NOTHING
  const isCut = receipt.omitted.some(({ runs }) =>
    runs.some(([start, end]) => end >= from && start < tailFrom),
  )
  const [first] = isCut ? (await handle.messages.list({ after: tailFrom - 1, limit: 1 })).items : []
  if (first === undefined) return NOTHING
  const identity = identify(first)
  const start = entries.findLastIndex((entry) => entry.id === first.id || entry.identity === identity)
  const head = from === 0 ? runsOf(receipt, 'head').reduce((sum, [a, b]) => sum + b - a + 1, 0) : 0
  return new Set(entries.slice(head, Math.max(head, start)).map(({ index }) => index))
}

const runsOf = ({ parts }: Receipt, section: string): readonly (readonly [number, number])[] =>
  parts.filter((part) => part.section === section).flatMap(({ runs }) => runs)
