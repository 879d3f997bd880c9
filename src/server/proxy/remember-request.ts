// Memory for one proxy request: which conversation it belongs to, which messages are new, and what to add to
// it.

import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Context,
  type ConversationMemory,
  type Message,
  type Receipt,
  recollectMetadataOf,
  type Workspace,
} from '../../index.ts'
import { type Placed, placeTranscript } from './place-transcript.ts'
import {
  type Entry,
  followingId,
  identify,
  readTranscript,
  type Transcript,
  type WireMessage,
} from './transcript.ts'

export interface ProxyRequest {
  readonly messages: readonly WireMessage[]
  readonly tools: readonly unknown[]
  /** The conversation name given by the client. */
  readonly name?: string
  readonly budgetTokens?: number
  readonly memoryTokens?: number
  readonly model: string
  /** False: the request is recorded, but no memory is added. */
  readonly isRemembered: boolean
}

export interface RememberedRequest {
  readonly handle: ConversationMemory
  readonly model: string
  /** How many of its messages were new. */
  readonly recorded: number
  /** Missing if no memory is added. */
  readonly context?: Context
  /** The messages to send instead; missing if the request is sent unchanged. */
  readonly messages?: readonly WireMessage[]
  /** The id of an answer with this text. */
  readonly answerId: (identity: string) => string
  readonly replaces?: Message
}

export async function rememberRequest(
  memory: Workspace,
  request: ProxyRequest,
): Promise<RememberedRequest | undefined> {
  const transcript = readTranscript(request.messages, request.name ?? '')
  const { entries } = transcript
  const last = entries.at(-1)
  if (last === undefined) return undefined
  const placed = await placeTranscript(memory, entries, request.name)
  const recorded = await recordEntries(placed)
  const base = {
    handle: placed.handle,
    model: request.model,
    recorded: recorded.length,
    answerId: (identity: string) => followingId(last.id, identity),
    ...definedFields({ replaces: placed.replaces }),
  }
  if (!request.isRemembered) return base
  const from = await findBeginning(memory, placed, { entries, recorded })
  const context = await makeContext(placed, { request, transcript, from })
  const { messages } = request
  const remembered = await addMemory({ messages, entries, handle: placed.handle, context, from })
  return { ...base, context, ...definedFields({ messages: remembered }) }
}

const AT_ONCE = 1000
/**
 * Up to this many new messages are part of the request's own context, so deriving can wait. More are older
 * messages, which have to be derived now to be recalled by topic.
 */
const LATER = 4

async function recordEntries({ handle, added, needsNewIds }: Placed): Promise<readonly Message[]> {
  const kept = added
    .filter(({ message }) => message.content !== '')
    .map(({ id, message }) => (needsNewIds === true ? message : { ...message, id }))
  const derive = kept.length <= LATER ? 'background' : 'now'
  const recorded: Message[] = []
  // A chat with a long history before its first request here. If interrupted, a retry continues by message
  // ids.
  for (let at = 0; at < kept.length; at += AT_ONCE)
    recorded.push(...(await handle.record(kept.slice(at, at + AT_ONCE), { derive })))
  return recorded
}

/** The record position of the request's first message. */
async function findBeginning(
  memory: Workspace,
  { handle, added, from }: Placed,
  { entries, recorded }: { readonly entries: readonly Entry[]; readonly recorded: readonly Message[] },
): Promise<number> {
  if (from !== undefined) return from
  if (added.length === entries.length) return recorded[0]?.position ?? 0
  const first = await memory.messages.get(entries[0]?.id ?? '')
  return first?.conversationId === handle.id ? first.position : 0
}

async function makeContext(
  { handle, replaces }: Placed,
  {
    request,
    transcript: { system },
    from,
  }: { readonly request: ProxyRequest; readonly transcript: Transcript; readonly from: number },
): Promise<Context> {
  const { budgetTokens, memoryTokens, tools } = request
  return handle.context({
    tools,
    receipt: 'background',
    ...(from > 0 && { after: from - 1 }),
    ...definedFields({ budgetTokens, memoryTokens, system, before: replaces && placeBefore(replaces) }),
  })
}

const placeBefore = (message: Message): number =>
  Math.min(message.position, recollectMetadataOf(message).replaces?.position ?? message.position)

// Inserts memory into the messages of a request at the same place as `context` does, and changes nothing
// else. Turns are left out only if the whole conversation would exceed the budget.

interface Remembering {
  readonly messages: readonly WireMessage[]
  readonly entries: readonly Entry[]
  readonly handle: ConversationMemory
  readonly context: Context
  /** Position in the record where the request begins. */
  readonly from: number
}

/** The messages to send; undefined to send the request unchanged. */
async function addMemory(remembering: Remembering): Promise<readonly WireMessage[] | undefined> {
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

const NO_POSITIONS: ReadonlySet<number> = new Set()

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
  if (!Number.isFinite(tailFrom) || tailFrom <= from) return NO_POSITIONS
  const isCut = receipt.omitted.some(({ runs }) =>
    runs.some(([start, end]) => end >= from && start < tailFrom),
  )
  const [first] = isCut ? (await handle.messages.list({ after: tailFrom - 1, limit: 1 })).items : []
  if (first === undefined) return NO_POSITIONS
  const identity = identify(first)
  const start = entries.findLastIndex((entry) => entry.id === first.id || entry.identity === identity)
  const head = from === 0 ? runsOf(receipt, 'head').reduce((sum, [a, b]) => sum + b - a + 1, 0) : 0
  return new Set(entries.slice(head, Math.max(head, start)).map(({ index }) => index))
}

const runsOf = ({ parts }: Receipt, section: string): readonly (readonly [number, number])[] =>
  parts.filter((part) => part.section === section).flatMap(({ runs }) => runs)
