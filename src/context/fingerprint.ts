// What the next context needs to know about this one, and how much of the last one this one begins with. A
// provider's cache hits as far as the prompt is the same from its start. Digests are kept where sections end, so
// that it can be told to a section how far that is.

import { Digest } from '../domain/digest.ts'
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
    marks,
  }
  return { fingerprint, sharedPrefix: share(fingerprint, previous, digests) }
}

const textDigest = (text: string): string => new Digest().add(text).toString()

function memoryOf({ plan, cut, remembered }: Assembled): Partial<ContextFingerprint> {
  const { conversation } = plan
  const liveFrom = conversation.live.messages[0]?.position ?? 0
  const blocks = {
    memory: remembered?.memoryBlock,
    summary: remembered?.summary?.block,
    beside: remembered?.besideBlock,
  }
  const digests = Object.entries(blocks).flatMap(([name, block]) =>
    block === undefined ? [] : [[name, textDigest(block)]],
  )
  return { ...Object.fromEntries(digests), headTurns: conversation.head(cut).length, liveFrom }
}

/** After how many messages a section ends. One that has none, or whose last is joined with the next, is left out. */
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

/** Over the first messages, for each of these counts. */
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

/** One that was kept before there were marks has its end alone. */
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
    return because('head', `${now.headTurns} of the first turns are sent instead of ${previous.headTurns}`)
  }
  if (previous.tailFrom !== now.tailFrom) return because('tail', whyTail(previous, now))
  if (ended === 'live' && previous.beside !== now.beside) return because('live', whyBeside(previous, now))
  return because(
    ended ?? 'live',
    'what was recorded since continues or changes the last turn: an answer came to an open call, a speaker went on, or the question was recorded in other words',
  )
}

function whyMemory(previous: ContextFingerprint, now: ContextFingerprint): string {
  if (previous.tailFrom !== now.tailFrom) {
    return `what stands in front has what is no longer in sight, since ${whyTail(previous, now)}`
  }
  return 'what stands in front changed: an instruction, a preference or a fact came or went'
}

function whySummary(previous: ContextFingerprint, now: ContextFingerprint): string {
  return previous.tailFrom === now.tailFrom
    ? 'a new summary was made of what lies before the tail'
    : `the summary covers more, since ${whyTail(previous, now)}`
}

function whyTail(previous: ContextFingerprint, now: ContextFingerprint): string {
  const why =
    previous.budgetTokens === now.budgetTokens ? 'to stay within the budget' : 'since the budget changed'
  return `the tail begins at message ${now.tailFrom} instead of ${previous.tailFrom}, ${why}`
}

function whyBeside(previous: ContextFingerprint, now: ContextFingerprint): string {
  return previous.liveFrom === now.liveFrom
    ? 'something else was recalled for the question'
    : 'what was recalled for the last question is not sent with it again'
}
