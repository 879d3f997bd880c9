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

/** What the next context needs to know about this one. */
export function fingerprintOf(
  rendered: readonly RenderedMessage[],
  { tools, budgetTokens }: Asked,
  tailFrom = 0,
): ContextFingerprint {
  const system = rendered.filter(({ message }) => message.role === 'system')
  return {
    system: digestOf(system),
    tools: new Digest().add(JSON.stringify(tools)).toString(),
    budgetTokens,
    tailFrom,
    messages: rendered.length,
    messageTokens: rendered.reduce((sum, { tokens }) => sum + tokens, 0),
    digest: digestOf(rendered),
  }
}

function digestOf(rendered: readonly RenderedMessage[]): string {
  const digest = new Digest()
  for (const { message } of rendered) digest.add(JSON.stringify(message))
  return digest.toString()
}

/** Whether the previous context is the beginning of this one, and if not, why. */
export function sharedPrefix(
  rendered: readonly RenderedMessage[],
  { previous, fingerprint }: { previous: ContextFingerprint | undefined; fingerprint: ContextFingerprint },
): SharedPrefix {
  if (previous === undefined) return { messages: 0, tokens: 0 }
  const isPrefix =
    previous.tools === fingerprint.tools &&
    previous.messages <= rendered.length &&
    digestOf(rendered.slice(0, previous.messages)) === previous.digest
  if (isPrefix) return { messages: previous.messages, tokens: previous.messageTokens }
  return { messages: 0, tokens: 0, brokenBecause: whyBroken(previous, fingerprint) }
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
