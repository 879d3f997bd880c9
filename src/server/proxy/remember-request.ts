// Memory for one request of the proxy: where it belongs, what of it is new, what is to be remembered with it.

import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Context,
  type ConversationMemory,
  type Message,
  recollectMetadataOf,
  type Workspace,
} from '../../index.ts'
import { addMemory } from './add-memory.ts'
import { type Placed, placeTranscript } from './place-transcript.ts'
import { type Entry, followingId, readTranscript, type Transcript, type WireMessage } from './transcript.ts'

export interface ProxyRequest {
  readonly messages: readonly WireMessage[]
  readonly tools: readonly unknown[]
  /** Which conversation the client says it is. */
  readonly name?: string
  readonly budgetTokens?: number
  readonly memoryTokens?: number
  readonly model: string
  /** False: it is recorded, and nothing is remembered with it. */
  readonly isRemembered: boolean
}

export interface RememberedRequest {
  readonly handle: ConversationMemory
  readonly model: string
  /** How many messages of it were new. */
  readonly recorded: number
  /** Missing where nothing is remembered with it. */
  readonly context?: Context
  /** What is to be sent instead; missing where it goes as it came. */
  readonly messages?: readonly WireMessage[]
  /** The id that an answer with these words has. */
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
/** A turn is in sight of its own context. What is more was said before, and is to be remembered by its topics. */
const LATER = 4

async function recordEntries({ handle, added, needsNewIds }: Placed): Promise<readonly Message[]> {
  const kept = added
    .filter(({ message }) => message.content !== '')
    .map(({ id, message }) => (needsNewIds === true ? message : { ...message, id }))
  const derive = kept.length <= LATER ? 'background' : 'now'
  const recorded: Message[] = []
  // A chat that went on for long before it came here. Broken off, it is taken up by its ids.
  for (let at = 0; at < kept.length; at += AT_ONCE)
    recorded.push(...(await handle.record(kept.slice(at, at + AT_ONCE), { derive })))
  return recorded
}

/** The position of the first message of the request. */
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
