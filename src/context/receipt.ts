import { Digest } from '../domain/digest.ts'
import type { MessageId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type {
  ContextFingerprint,
  PositionRun,
  Receipt,
  SharedPrefix,
  StoredReceipt,
} from '../domain/receipt.ts'
import type { RenderedMessage } from './render-context.ts'

/** Positions of messages as runs, in order. */
export function toRuns(messages: readonly Pick<Message, 'position'>[]): readonly PositionRun[] {
  const positions = messages.map(({ position }) => position).sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const position of positions) {
    const last = runs.at(-1)
    if (last !== undefined && position <= last[1] + 1) last[1] = Math.max(last[1], position)
    else runs.push([position, position])
  }
  return runs
}

interface Asked {
  readonly tools: readonly unknown[]
  readonly budgetTokens: number
}

/** What the next context needs to know about this one, and whether the previous one is its beginning. */
export function compareContexts(
  rendered: readonly RenderedMessage[],
  { tools, budgetTokens }: Asked,
  { tailFrom, previous }: { tailFrom: number; previous: ContextFingerprint | undefined },
): { fingerprint: ContextFingerprint; sharedPrefix: SharedPrefix } {
  const { whole, begin } = digestOf(rendered, previous?.messages ?? 0)
  const system = rendered.filter(({ message }) => message.role === 'system')
  const fingerprint: ContextFingerprint = {
    system: digestOf(system, 0).whole,
    tools: new Digest().add(JSON.stringify(tools)).toString(),
    budgetTokens,
    tailFrom,
    messages: rendered.length,
    messageTokens: rendered.reduce((sum, { tokens }) => sum + tokens, 0),
    digest: whole,
  }
  return { fingerprint, sharedPrefix: sharedPrefix(fingerprint, { previous, begin }) }
}

/** Over all messages, and over the first `count` of them. */
function digestOf(rendered: readonly RenderedMessage[], count: number): { whole: string; begin: string } {
  const digest = new Digest()
  let begin = digest.toString()
  for (const [i, { message }] of rendered.entries()) {
    digest.add(JSON.stringify(message))
    if (i + 1 === count) begin = digest.toString()
  }
  return { whole: digest.toString(), begin }
}

function sharedPrefix(
  now: ContextFingerprint,
  { previous, begin }: { previous: ContextFingerprint | undefined; begin: string },
): SharedPrefix {
  if (previous === undefined) return { messages: 0, tokens: 0 }
  const isPrefix =
    previous.tools === now.tools && previous.messages <= now.messages && begin === previous.digest
  if (isPrefix) return { messages: previous.messages, tokens: previous.messageTokens }
  return { messages: 0, tokens: 0, brokenBecause: whyBroken(previous, now) }
}

function whyBroken(previous: ContextFingerprint, now: ContextFingerprint): string {
  if (previous.tools !== now.tools) return 'the tools changed'
  if (previous.system !== now.system) return 'the system prompt changed'
  if (previous.tailFrom !== now.tailFrom) {
    const isBudget = previous.budgetTokens !== now.budgetTokens
    return `the tail begins at message ${now.tailFrom} instead of ${previous.tailFrom}, ${isBudget ? 'since the budget changed' : 'to stay within the budget'}`
  }
  return 'what was recorded since continues or changes the last turn: an answer came to an open call, a speaker went on, or the question was recorded in other words'
}

/** What is kept of a receipt. */
export function toStored(receipt: Receipt, fingerprint: ContextFingerprint): StoredReceipt {
  return { ...receipt, parts: receipt.parts.map(({ messageIds: _, ...part }) => part), fingerprint }
}

/** A kept receipt with its ids again. */
export async function fromStored(
  { fingerprint: _, ...stored }: StoredReceipt,
  readIds: (run: PositionRun) => Promise<readonly MessageId[]>,
): Promise<Receipt> {
  const parts = stored.parts.map(async (part) => ({
    ...part,
    messageIds: (await Promise.all(part.runs.map(readIds))).flat(),
  }))
  return { ...stored, parts: await Promise.all(parts) }
}
