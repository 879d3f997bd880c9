// To which conversation a request belongs, and what of it is new.
//
//  1. The longest beginning that the record has tells the conversation. It is looked for from the end, in leaps: nearly
//     always it is all but the last message.
//  2. What goes on from there is appended. Where the record went on otherwise, something earlier was changed: a fork
//     begins there, and each branch is known by its own words from then on.
//  3. A request that ends where the record knows it asks for another answer.
//  4. Under a name, a request may begin in the middle (clients that send the last few messages), or be nothing but the
//     new message: the turns of people and tools are then laid against the end of the record.

import type { ConversationMemory, Message, Workspace } from '../../index.ts'
import { type Entry, identify } from './transcript.ts'

export interface Placed {
  readonly handle: ConversationMemory
  /** What is to be recorded, in order. */
  readonly added: readonly Entry[]
  /** Their ids are taken by the same words elsewhere. */
  readonly needsNewIds?: boolean
  /** What a new answer takes the place of. */
  readonly replaces?: Message
  /** Where in the record the request begins, as far as it is known. */
  readonly from?: number
}

interface Known {
  /** The last entry that the record has … */
  readonly at: number
  /** … and the message that it is. */
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
  // Twice as far as the request goes shows where it begins; the record may have gone on by answers.
  const limit = Math.min(LOOKED_AT, 2 * entries.length + 20)
  const aligned = align((await handle.messages.list({ direction: 'backwards', limit })).items, entries)
  if (aligned === undefined) return { handle, added: entries }
  return { ...(await placeKnown(memory, { entries, known: aligned, name })), from: aligned.from }
}

const newConversation = (memory: Workspace): ConversationMemory =>
  memory.conversation(`proxy-${crypto.randomUUID()}`)

/** Leaps back to something that is known, then closes in on the last of it. */
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

interface Place {
  readonly entries: readonly Entry[]
  readonly known: Known
  readonly name: string | undefined
}

/** What follows a message in the record is looked at as far as this. */
const LOOKED_AT = 200

async function placeKnown(memory: Workspace, place: Place): Promise<Placed> {
  const { entries, known } = place
  const handle = memory.conversation(known.message.conversationId)
  const later = (await handle.messages.list({ after: known.message.position, limit: LOOKED_AT })).items
  const next = later.findIndex(({ role }) => role === 'user' || role === 'tool')
  const answers = next === -1 ? later : later.slice(0, next)
  const rest = entries.slice(known.at + 1)
  const isElsewhere = next !== -1
  if (rest.length === 0) return placeRepeated(memory, place, { handle, answers, isElsewhere })
  const spoken = rest.findIndex(({ isAsked }) => isAsked)
  const own = rest.slice(0, spoken === -1 ? rest.length : spoken)
  if (own.length > 0 && answers.length > 0 && !isSameAnswer(own, answers)) {
    return placeApart(memory, place, { handle, at: known.message, added: rest })
  }
  // An answer that is recorded already is not recorded again as the client has it.
  const added = answers.length > 0 ? rest.slice(own.length) : rest
  const last = answers.at(-1) ?? known.message
  return isElsewhere ? placeApart(memory, place, { handle, at: last, added }) : { handle, added }
}

interface Followed {
  readonly handle: ConversationMemory
  readonly answers: readonly Message[]
  /** The record went on with another question. */
  readonly isElsewhere: boolean
}

/** Nothing is new: another answer is asked for, or the same words are said once more. */
async function placeRepeated(
  memory: Workspace,
  { entries, known, name }: Place,
  { handle, answers, isElsewhere }: Followed,
): Promise<Placed> {
  const isAlone = entries.length === 1
  // Many chats begin with the same word.
  if (isAlone && name === undefined && answers.length > 0)
    return { handle: newConversation(memory), added: entries, needsNewIds: true }
  if (isAlone && isElsewhere) return { handle, added: entries, needsNewIds: true }
  if (isElsewhere) return { handle: await forkAt(memory, handle, known.message), added: [] }
  const [replaces] = answers
  return { handle, added: [], ...(replaces !== undefined && { replaces }) }
}

/** Something earlier was changed. Where only the first word is the same, it is another chat. */
async function placeApart(
  memory: Workspace,
  { entries, known, name }: Place,
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

/** Without the bracket and quote at the end, so that a beginning is one. */
const wordsOf = (message: Pick<Message, 'role' | 'content'>): string =>
  JSON.stringify(JSON.parse(identify(message))[2]).slice(1, -2)

/**
 * Lays the questions of a request against the last ones of the record, so that both agree as far back as both go: a
 * request may begin later than what is looked at, or earlier.
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
