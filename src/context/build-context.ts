// Context out: what is handed to the model for one turn, within the budget, with its receipt.
//
// In order, what changes least first: the system prompt (that of the call, then the recorded ones, as one
// message), the tail of the conversation, the live turn. The live turn is the last thing a user said with
// everything since, tool calls included; or the question of this call, if it is not recorded yet.
//
//  1. Never over the budget, counted over everything that is sent: system, tools, messages and what a
//     provider adds around each.
//  2. Valid for OpenAI, Anthropic and Gemini (render-context.ts, provider-validity.ts).
//  3. System prompt and live turn are always whole; when they do not fit, a BudgetError says by how much.
//  4. The same call gives the same bytes, and a new turn changes only the end, until the tail has to begin
//     later (spend-budget.ts); the receipt then says so.

import type { ContextMessage } from '../domain/context-message.ts'
import { messageId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { partsOf } from '../domain/message.ts'
import type { ContextFingerprint, Receipt, ReceiptOmission, ReceiptPart } from '../domain/receipt.ts'
import { countMessageTokens, countToolsTokens, PER_REQUEST } from '../domain/tokens.ts'
import { BudgetError } from '../errors.ts'
import { compareContexts, toRuns } from './receipt.ts'
import { type Rendered, type RenderedMessage, renderContext, type TokenCounter } from './render-context.ts'
import { findTailStart } from './spend-budget.ts'
import { isPinned, splitTurns, type Turn } from './split-turns.ts'

/** Everything that a context is made from. */
export interface ContextMaterial {
  /** The end of the conversation, in order, at least as long as the budget. */
  readonly history: readonly Message[]
  /** Recorded system messages, wherever in the conversation they stand. */
  readonly systemMessages: readonly Message[]
  readonly query?: string
  readonly system?: string
  readonly tools: readonly unknown[]
  readonly budgetTokens: number
  readonly stepTokens: number
  readonly counter: TokenCounter
  readonly previous?: ContextFingerprint
}

export interface BuiltContext {
  readonly messages: readonly ContextMessage[]
  readonly receipt: Pick<
    Receipt,
    'budgetTokens' | 'tokens' | 'tokenizer' | 'parts' | 'omitted' | 'repairs' | 'sharedPrefix'
  >
  readonly fingerprint: ContextFingerprint
}

export function buildContext(material: ContextMaterial): BuiltContext {
  const system = renderSystem(material)
  const toolTokens = countToolsTokens(material.counter.count, material.tools)
  const fixedTokens = PER_REQUEST + toolTokens + (system?.tokens ?? 0)
  const { tail, live, body } = chooseTurns(material, material.budgetTokens - fixedTokens)
  const rendered = system === undefined ? body.messages : [system, ...body.messages]
  const { fingerprint, sharedPrefix } = compareContexts(rendered, material, {
    tailFrom: (tail[0] ?? live).messages[0]?.position ?? 0,
    previous: material.previous,
  })
  const tokens = fixedTokens + sumTokens(body.messages)
  return {
    messages: rendered.map(({ message }) => message),
    fingerprint,
    receipt: {
      budgetTokens: material.budgetTokens,
      tokens,
      tokenizer: material.counter.tokenizer,
      parts: toParts({ material, system, toolTokens, body, live }),
      omitted: toOmissions(material, body, tail[0] ?? live),
      repairs: body.repairs.map(({ message, repair }) => ({
        ...(message && { messageId: message.id }),
        repair,
      })),
      sharedPrefix,
    },
  }
}

/** One system message from all there are; a prompt of the call that is recorded too is not sent twice. */
function renderSystem({ system, systemMessages, counter }: ContextMaterial): RenderedMessage | undefined {
  const pinned = systemMessages.filter(isPinned)
  const recorded = pinned.map(({ content }) => toText(content))
  const given = system === undefined || system.trim() === '' ? [] : [system]
  const texts = [...new Set([...given, ...recorded])]
  if (texts.length === 0) return undefined
  const message: ContextMessage = { role: 'system', content: texts.join('\n\n') }
  return { message, tokens: countMessageTokens(counter.count, message), sources: pinned }
}

const toText = (content: Message['content']): string =>
  partsOf(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')

interface Chosen {
  readonly tail: readonly Turn[]
  readonly live: Turn
  readonly body: Rendered
}

function chooseTurns(material: ContextMaterial, roomTokens: number): Chosen {
  const { history, counter, stepTokens } = material
  const turns = splitTurns(withQuestion(material))
  const live = turns.at(-1) ?? { messages: [] }
  const older = turns.slice(0, -1)
  const render = (some: readonly Turn[]) =>
    renderContext(
      some.flatMap(({ messages }) => messages),
      counter,
    )
  let body = render([live])
  const liveTokens = sumTokens(body.messages)
  if (liveTokens > roomTokens) {
    throw new BudgetError(liveTokens + material.budgetTokens - roomTokens, material.budgetTokens)
  }
  const start = findTailStart(older, {
    roomTokens,
    stepTokens,
    isFromStart: (history[0]?.position ?? 0) === 0,
    turnTokens: older.map((turn) => sumTokens(render([turn]).messages)),
    cost: (from) => {
      body = render([...older.slice(from), live])
      return sumTokens(body.messages)
    },
  })
  const tail = older.slice(start)
  return { tail, live, body: tail.length === 0 ? render([live]) : body }
}

/** The conversation with the question of this call at its end, unless it is there already. */
function withQuestion({ history, query, counter }: ContextMaterial): readonly Message[] {
  if (query === undefined) return history
  const last = history.at(-1)
  if (last?.role === 'user' && toText(last.content) === query) return history
  return [...history, toUnrecorded(query, { last, counter })]
}

/** Stands for a message that has no place in the record yet. */
const UNRECORDED = messageId('')
const isRecorded = (message: Message): boolean => message.id !== UNRECORDED

function toUnrecorded(
  query: string,
  { last, counter }: { last: Message | undefined; counter: TokenCounter },
): Message {
  const said = { role: 'user' as const, content: query }
  const now = new Date(0)
  return {
    ...said,
    id: UNRECORDED,
    conversationId: last?.conversationId ?? ('' as Message['conversationId']),
    position: (last?.position ?? -1) + 1,
    createdAt: now,
    recordedAt: now,
    tokens: countMessageTokens(counter.count, said),
    tokenizer: counter.tokenizer,
    tokensBefore: last === undefined ? 0 : last.tokensBefore + last.tokens,
  }
}

function sumTokens(messages: readonly RenderedMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0)
}

interface PartsRequest {
  readonly material: ContextMaterial
  readonly system: RenderedMessage | undefined
  readonly toolTokens: number
  readonly body: Rendered
  readonly live: Turn
}

function toParts({ material, system, toolTokens, body, live }: PartsRequest): readonly ReceiptPart[] {
  const liveFrom = live.messages[0]?.position ?? Number.POSITIVE_INFINITY
  const isLive = ({ position }: Message) => position >= liveFrom
  // Results may have moved between turns: words count where they are sent, messages where they were said.
  const [liveSent, tailSent] = divide(body.messages, ({ sources }) => sources.some(isLive))
  const [liveSaid, tailSaid] = divide(sourcesOf(body.messages), isLive)
  const asked = material.query === undefined ? 'the last turn' : 'the question and its turn'
  const parts = [
    { ...toPart('tools', [], 'the tools of this call'), tokens: toolTokens },
    {
      ...toPart('system', system?.sources ?? [], 'the system prompt is always sent'),
      tokens: system?.tokens ?? 0,
    },
    { ...toPart('tail', tailSaid, 'the most recent turns that fit'), tokens: sumTokens(tailSent) },
    { ...toPart('live', liveSaid, `${asked}, always whole`), tokens: sumTokens(liveSent) },
  ]
  return parts.filter(({ tokens, runs }) => tokens > 0 || runs.length > 0)
}

function toPart(section: ReceiptPart['section'], sources: readonly Message[], reason: string): ReceiptPart {
  const recorded = sources.filter(isRecorded)
  return { section, tokens: 0, reason, runs: toRuns(recorded), messageIds: recorded.map(({ id }) => id) }
}

/** Each message of the record once, in order. */
function sourcesOf(messages: readonly RenderedMessage[]): readonly Message[] {
  const unique = new Set(messages.flatMap(({ sources }) => sources))
  return [...unique].sort((one, other) => one.position - other.position)
}

function divide<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

function toOmissions(material: ContextMaterial, body: Rendered, first: Turn): readonly ReceiptOmission[] {
  const from = first.messages.find(isRecorded) ?? first.messages[0]
  const older = from === undefined || from.position === 0 ? [] : [olderThan(from, material)]
  const single = body.omitted.map(({ message, reason }) => ({
    tokens: message.tokens,
    reason,
    runs: toRuns([message]),
  }))
  return [...older, ...single].filter(({ runs }) => runs.length > 0)
}

function olderThan(first: Message, { systemMessages, stepTokens }: ContextMaterial): ReceiptOmission {
  const pinned = systemMessages.filter((message) => isPinned(message) && message.position < first.position)
  const pinnedTokens = pinned.reduce((sum, { tokens }) => sum + tokens, 0)
  const steps = stepTokens > 0 ? '; the cut moves in steps, so that the prompt stays the same in between' : ''
  return {
    tokens: first.tokensBefore - pinnedTokens,
    reason: `older than what fits into the budget${steps}`,
    runs: without(
      [0, first.position - 1],
      pinned.map(({ position }) => position),
    ),
  }
}

/** A run of positions with some taken out. */
function without(
  [from, to]: readonly [number, number],
  taken: readonly number[],
): readonly (readonly [number, number])[] {
  const edges = [from - 1, ...taken, to + 1]
  return edges
    .slice(1)
    .map((edge, i): readonly [number, number] => [(edges[i] as number) + 1, edge - 1])
    .filter(([start, end]) => start <= end)
}
