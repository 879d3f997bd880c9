// Finds the conversation that a request belongs to, and which of its messages are new.
//
//  1. The longest prefix that is recorded identifies the conversation. It is searched for from the end, in
//     doubling steps: nearly always it is everything but the last message.
//  2. Messages after that prefix are appended. If the record continues differently, an earlier message was
//     edited: the conversation is forked there, and each branch is identified by its own messages from then on.
//  3. A request without new messages asks for another answer.
//  4. With a conversation name, a request may begin in the middle (clients that send the last few messages) or
//     contain only the new message: its user and tool messages are then aligned with the end of the record.

import type { ConversationMemory, Message, Workspace } from '../../index.ts'
import { type Entry, identify } from './transcript.ts'

export interface Placed {
  readonly handle: ConversationMemory
  /** The messages to record, in order. */
  readonly added: readonly Entry[]
  /** Their ids are already used by the same messages elsewhere. */
  readonly needsNewIds?: boolean
  /** The message that a new answer replaces. */
  readonly replaces?: Message
  /** Position in the record where the request begins, if known. */
  readonly from?: number
}

interface Known {
  /** Index of the last entry that is recorded. */
  readonly at: number
  /** The recorded message of that entry. */
  readonly message: Message
}

export async function placeTranscript(
  memory: Workspace,
  entries: readonly Entry[],
  name: string | undefined,
): Promise<Placed> {
  const known = await findKnown(memory, entries)
  if (known !== undefined) return placeKnown(memory, { entries, known, name })
  if (name === undefined) return { handle: newConversation(memory), added: entries }
  const handle = memory.conversation(name)
  // Twice the request's length is enough to find where it begins: the record may have answers in between.
  const limit = Math.min(MAX_LATER_MESSAGES, 2 * entries.length + 20)
  const aligned = align((await handle.messages.list({ direction: 'backwards', limit })).items, entries)
  if (aligned === undefined) return { handle, added: entries }
  return { ...(await placeKnown(memory, { entries, known: aligned, name })), from: aligned.from }
}

const newConversation = (memory: Workspace): ConversationMemory =>
  memory.conversation(`proxy-${crypto.randomUUID()}`)

/** Searches backwards in doubling steps for a recorded entry, then bisects to the last one. */
async function findKnown(memory: Workspace, entries: readonly Entry[]): Promise<Known | undefined> {
  const look = async (at: number): Promise<Known | undefined> => {
    const message = await memory.messages.get((entries[at] as Entry).id)
    return message && { at, message }
  }
  let unknown = entries.length
  let known: Known | undefined
  for (let leap = 1; known === undefined && unknown > 0; leap *= 2) {
    const at = Math.max(0, unknown - leap)
    known = await look(at)
    if (known === undefined) unknown = at
  }
  while (known !== undefined && unknown - known.at > 1) {
    const at = Math.floor((known.at + unknown) / 2)
    const found = await look(at)
    if (found === undefined) unknown = at
    else known = found
  }
  return known
}

interface KnownTranscript {
  readonly entries: readonly Entry[]
  readonly known: Known
  readonly name: string | undefined
}

/** How many messages after the last recorded entry are read. */
const MAX_LATER_MESSAGES = 200

async function placeKnown(memory: Workspace, place: KnownTranscript): Promise<Placed> {
  const { entries, known } = place
  const handle = memory.conversation(known.message.conversationId)
  const later = (await handle.messages.list({ after: known.message.position, limit: MAX_LATER_MESSAGES }))
    .items
  const next = later.findIndex(({ role }) => role === 'user' || role === 'tool')
  const answers = next === -1 ? later : later.slice(0, next)
  const rest = entries.slice(known.at + 1)
  const isElsewhere = next !== -1
  if (rest.length === 0) return placeRepeated(memory, place, { handle, answers, isElsewhere })
  const spoken = rest.findIndex(({ isAsked }) => isAsked)
  const own = rest.slice(0, spoken === -1 ? rest.length : spoken)
  if (own.length > 0 && answers.length > 0 && !isSameAnswer(own, answers)) {
    return placeInFork(memory, place, { handle, at: known.message, added: rest })
  }
  // If the answer is already recorded, the client's copy of it is not.
  const added = answers.length > 0 ? rest.slice(own.length) : rest
  const last = answers.at(-1) ?? known.message
  return isElsewhere ? placeInFork(memory, place, { handle, at: last, added }) : { handle, added }
}

interface Followed {
  readonly handle: ConversationMemory
  readonly answers: readonly Message[]
  /** The record continues with another question. */
  readonly isElsewhere: boolean
}

/** Nothing is new: the client asks for another answer, or repeats the same message. */
async function placeRepeated(
  memory: Workspace,
  { entries, known, name }: KnownTranscript,
  { handle, answers, isElsewhere }: Followed,
): Promise<Placed> {
  const isAlone = entries.length === 1
  // Many chats begin with the same message.
  if (isAlone && name === undefined && answers.length > 0)
    return { handle: newConversation(memory), added: entries, needsNewIds: true }
  if (isAlone && isElsewhere) return { handle, added: entries, needsNewIds: true }
  if (isElsewhere) return { handle: await forkAt(memory, handle, known.message), added: [] }
  const [replaces] = answers
  return { handle, added: [], ...(replaces !== undefined && { replaces }) }
}

/** An earlier message was edited. If only the first message matches, it is another chat. */
async function placeInFork(
  memory: Workspace,
  { entries, known, name }: KnownTranscript,
  from: { readonly handle: ConversationMemory; readonly at: Message; readonly added: readonly Entry[] },
): Promise<Placed> {
  if (known.at === 0 && name === undefined)
    return { handle: newConversation(memory), added: entries, needsNewIds: true }
  return { handle: await forkAt(memory, from.handle, from.at), added: from.added }
}

async function forkAt(
  memory: Workspace,
  handle: ConversationMemory,
  at: Message,
): Promise<ConversationMemory> {
  return memory.conversation((await handle.fork(at.id)).id)
}

/** A client that stopped an answer may have less of it than was recorded, or more. */
function isSameAnswer(own: readonly Entry[], answers: readonly Message[]): boolean {
  const said = own.map(({ message }) => wordsOf(message))
  const recorded = answers.map(wordsOf)
  return said.some((one) =>
    recorded.some((other) => one === '' || other.startsWith(one) || one.startsWith(other)),
  )
}

/** Without the closing bracket and quote, so that prefixes can be compared. */
const wordsOf = (message: Pick<Message, 'role' | 'content'>): string =>
  JSON.stringify(JSON.parse(identify(message))[2]).slice(1, -2)

/**
 * Aligns the user and tool messages of a request with the last ones of the record, such that they agree as
 * far back as both go: the request may begin before or after the messages that were read.
 */
function align(
  recorded: readonly Message[],
  entries: readonly Entry[],
): (Known & { readonly from: number }) | undefined {
  const asked = recorded.filter(({ role }) => role === 'user' || role === 'tool')
  const [first, last] = [asked[0], asked.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const identities = asked.map(identify)
  const spoken = entries.flatMap((entry, at) => (entry.isAsked ? [{ at, identity: entry.identity }] : []))
  for (let end = spoken.length - 1; end >= 0; end--) {
    const common = Math.min(end + 1, identities.length)
    const ownEnd = spoken.slice(end + 1 - common, end + 1)
    const isSame = identities.slice(-common).every((identity, i) => identity === ownEnd[i]?.identity)
    if (!isSame) continue
    const from = common < identities.length ? (asked[asked.length - common] as Message).position : 0
    return { at: (spoken[end] as { at: number }).at, message: last, from }
  }
  return undefined
}
