// A fingerprint of a context, for the next one to compare itself with: how much of the last prompt is a prefix of
// this one. A provider's prompt cache hits only as far as the prompt is the same from its start. Digests are stored at
// the end of each section, so the receipt can name the section where the prefix ends.

import { Digest } from '../domain/digest.ts'
import { partsOf } from '../domain/message.ts'
import type { ContextFingerprint, FingerprintMark, Section, SharedPrefix } from '../domain/receipt.ts'
import type { Assembled } from './assemble.ts'
import type { RenderedMessage } from './render-context.ts'
import { sumTokens } from './render-context.ts'
import type { Turn } from './split-turns.ts'

export function compareContexts(
  assembled: Assembled,
  rendered: readonly RenderedMessage[],
): { fingerprint: ContextFingerprint; sharedPrefix: SharedPrefix } {
  const { material } = assembled.plan
  const { previous } = material
  const ends = sectionEnds(assembled, rendered)
  const counts = [
    ...ends.map(({ messages }) => messages),
    ...(previous ? marksOf(previous) : []).map(({ messages }) => messages),
  ]
  const digests = digestsOf(rendered, new Set([...counts, rendered.length]))
  const marks = ends.map(({ section, messages }) => ({
    section,
    messages,
    tokens: sumTokens(rendered.slice(0, messages)),
    digest: digests.get(messages) ?? '',
  }))
  const fingerprint: ContextFingerprint = {
    system: textDigest(JSON.stringify(assembled.plan.system?.message ?? null)),
    tools: textDigest(JSON.stringify(material.tools)),
    budgetTokens: material.budgetTokens,
    tailFrom: assembled.plan.conversation.tailFrom(assembled.cut),
    messages: rendered.length,
    messageTokens: sumTokens(rendered),
    digest: digests.get(rendered.length) ?? '',
    ...memoryOf(assembled),
    ...(rendered.some(hasReasoning) && { hasReasoning: true as const }),
    marks,
  }
  return { fingerprint, sharedPrefix: share(fingerprint, previous, digests) }
}

const hasReasoning = ({ message }: RenderedMessage): boolean =>
  partsOf(message.content).some(({ type }) => type === 'reasoning')

const textDigest = (text: string): string => new Digest().add(text).toString()

function memoryOf({ plan, cut, remembered }: Assembled): Partial<ContextFingerprint> {
  const { conversation } = plan
  const liveFrom = conversation.live.messages[0]?.position ?? 0
  const blocks = {
    memory: remembered?.memoryBlock,
    summary: remembered?.summary?.block,
    beside: remembered?.inlineBlock,
  }
  const digests = Object.entries(blocks).flatMap(([name, block]) =>
    block === undefined ? [] : [[name, textDigest(block)]],
  )
  return { ...Object.fromEntries(digests), headTurns: conversation.head(cut).length, liveFrom }
}

/** The message count at the end of each section. Leaves out empty sections and those joined with the next one. */
function sectionEnds(
  { plan: { conversation }, cut }: Assembled,
  rendered: readonly RenderedMessage[],
): readonly { readonly section: Section; readonly messages: number }[] {
  const startOf = (turn: Turn | undefined): number => {
    const own = new Set(turn?.messages)
    const start = rendered.findIndex(({ sources }) => sources.some((message) => own.has(message)))
    return start < 0 ? rendered.length : start
  }
  const tailStart = startOf(conversation.tail(cut)[0] ?? conversation.live)
  const ends: { section: Section; messages: number }[] = [
    { section: 'system', messages: rendered[0]?.message.role === 'system' ? 1 : 0 },
    { section: 'head', messages: conversation.head(cut).length === 0 ? 0 : tailStart },
    { section: 'tail', messages: startOf(conversation.live) },
    { section: 'live', messages: rendered.length },
  ]
  return ends.filter(({ messages }, i) => messages > (ends[i - 1]?.messages ?? 0))
}

/** The digest over the first n messages, for each of these counts. */
function digestsOf(
  rendered: readonly RenderedMessage[],
  counts: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  const digest = new Digest()
  const digests = new Map([[0, digest.toString()]])
  for (const [i, { message }] of rendered.entries()) {
    digest.add(JSON.stringify(message))
    if (counts.has(i + 1)) digests.set(i + 1, digest.toString())
  }
  return digests
}

type Previous = NonNullable<Assembled['plan']['material']['previous']>

/** Receipts stored before marks existed have only the digest of the whole. */
function marksOf({ marks, messages, messageTokens, digest }: ContextFingerprint): readonly FingerprintMark[] {
  return marks ?? [{ section: 'live', messages, tokens: messageTokens, digest }]
}

function share(
  now: ContextFingerprint,
  previous: Previous | undefined,
  digests: ReadonlyMap<number, string>,
): SharedPrefix {
  if (previous === undefined) return { messages: 0, tokens: 0 }
  const previousId = previous.receiptId === undefined ? {} : { previousId: previous.receiptId }
  const hasSameTools = previous.tools === now.tools
  const marks = hasSameTools ? marksOf(previous) : []
  const isShared = ({ messages, digest }: FingerprintMark) =>
    messages <= now.messages && digests.get(messages) === digest
  const last = marks.findLast(isShared)
  const { messages, tokens } = last ?? { messages: 0, tokens: 0 }
  if (hasSameTools && messages === previous.messages) return { messages, tokens, ...previousId }
  const next = marks[last === undefined ? 0 : marks.indexOf(last) + 1]
  return { messages, tokens, ...previousId, ...whyBroken(previous, now, next?.section) }
}

type Broken = Required<Pick<SharedPrefix, 'brokenAt' | 'brokenBecause'>>

function whyBroken(
  previous: ContextFingerprint,
  now: ContextFingerprint,
  ended: Section | undefined,
): Broken {
  const because = (brokenAt: Section, brokenBecause: string): Broken => ({ brokenAt, brokenBecause })
  if (previous.tools !== now.tools) return because('tools', 'the tools changed')
  if (previous.system !== now.system) return because('system', 'the system prompt changed')
  if (previous.memory !== now.memory) return because('memory', whyMemory(previous, now))
  if (previous.summary !== now.summary) return because('summary', whySummary(previous, now))
  if ((previous.headTurns ?? 0) !== (now.headTurns ?? 0)) {
    return because(
      'head',
      `the first ${now.headTurns} turns are sent instead of the first ${previous.headTurns}`,
    )
  }
  if (previous.tailFrom !== now.tailFrom) return because('tail', whyTail(previous, now))
  return because(ended ?? 'live', whyEnd(previous, now, ended))
}

function whyMemory(previous: ContextFingerprint, now: ContextFingerprint): string {
  if (previous.tailFrom !== now.tailFrom) {
    return `memory now covers messages that are no longer sent, since ${whyTail(previous, now)}`
  }
  return 'an instruction, a preference or a fact was added, changed or removed, or gave way to the conversation'
}

function whySummary(previous: ContextFingerprint, now: ContextFingerprint): string {
  return previous.tailFrom === now.tailFrom
    ? 'the messages before the tail were summarized again'
    : `the summary covers more, since ${whyTail(previous, now)}`
}

function whyTail(previous: ContextFingerprint, now: ContextFingerprint): string {
  const why =
    previous.budgetTokens === now.budgetTokens ? 'to stay within the budget' : 'because the budget changed'
  return `the tail begins at message ${now.tailFrom} instead of ${previous.tailFrom}, ${why}`
}

function whyEnd(previous: ContextFingerprint, now: ContextFingerprint, ended: Section | undefined): string {
  const isNewTurn = previous.liveFrom !== now.liveFrom
  if (ended === 'live' && isNewTurn && previous.hasReasoning)
    return 'the reasoning of the last turn is no longer sent'
  if (ended === 'live' && previous.beside !== now.beside) {
    return isNewTurn
      ? 'what was recalled for the last question is not sent again'
      : 'other memories were recalled for the question'
  }
  return 'the last turn changed: a tool result arrived, the same role continued, or the question was recorded with different text'
}
