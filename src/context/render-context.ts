// Messages of the record → messages that every provider takes. Beyond the pairing of tools: the first
// speaker is the user, and nobody speaks twice in a row (Anthropic and Gemini want turns to alternate).
// Every change to what was recorded is named, for the receipt.
//
// Memory comes in as something the user hands over: before the first message, and beside the question. It
// joins the user's words there, so that the order of roles stays as it is.

import type { ContextMessage } from '../domain/context-message.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { type Content, type Message, type Part, plainText } from '../domain/message.ts'
import { type CountTokens, countMessageTokens } from '../domain/tokens.ts'
import { type Omission, pairTools, type Repair, type Slot } from './pair-tools.ts'

const ASSISTANT_BEGAN = '(The assistant speaks first in this conversation.)'

/** A message to be sent, what it costs and where it comes from. */
export interface RenderedMessage {
  readonly message: ContextMessage
  readonly tokens: number
  readonly sources: readonly Message[]
}

export interface Rendered {
  readonly messages: readonly RenderedMessage[]
  readonly omitted: readonly Omission[]
  readonly repairs: readonly Repair[]
}

/** How tokens are counted now; counts in the record may come from another tokenizer. */
export interface TokenCounter {
  readonly tokenizer: string
  readonly count: CountTokens
}

/** Texts of memory, already between their marks. */
export interface Injections {
  /** Before everything. */
  readonly front?: string
  /** Before the first of the live messages that a user said and that is sent. */
  readonly beside?: string
  readonly isLive?: (message: Message) => boolean
}

export function renderContext(
  messages: readonly Message[],
  counter: TokenCounter,
  injections: Injections = {},
): Rendered {
  const paired = pairTools(messages)
  const repairs: Repair[] = [...paired.repairs]
  const slots: SourcedSlot[] = [...paired.slots]
  const isAssistantFirst = slots[0]?.role === 'assistant'
  if (isAssistantFirst) slots.unshift(toSlot(ASSISTANT_BEGAN))
  inject(slots, injections)
  const rendered = joinSameRole(slots, repairs).map((slot) => renderSlot(slot, counter))
  if (isAssistantFirst) {
    repairs.push({
      repair: 'the assistant speaks first; a line was put before it, since providers want the user to begin',
    })
  }
  return { messages: rendered, omitted: paired.omitted, repairs }
}

/** A slot that may not come from the record. */
interface SourcedSlot extends Slot {
  readonly isInjected?: true
}

const toSlot = (text: string): SourcedSlot => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  sources: [],
  isInjected: true,
})

function inject(slots: SourcedSlot[], { front, beside, isLive = () => false }: Injections): void {
  const asked = slots.findIndex(({ role, sources }) => role === 'user' && sources.some(isLive))
  if (beside !== undefined && asked >= 0) slots.splice(asked, 0, toSlot(beside))
  if (front !== undefined && slots.length > 0) slots.unshift(toSlot(front))
}

/** A slot in which several messages may have been joined; `names` has one entry a part. */
interface JoinedSlot extends Slot {
  readonly names: (string | undefined)[]
  hasInjected: boolean
}

function joinSameRole(slots: readonly SourcedSlot[], repairs: Repair[]): readonly JoinedSlot[] {
  const joined: JoinedSlot[] = []
  for (const slot of slots) {
    const hasInjected = slot.isInjected === true
    const names = slot.parts.map(() => slot.sources[0]?.name)
    const previous = joined.at(-1)
    if (previous === undefined || previous.role !== slot.role) {
      joined.push({ role: slot.role, parts: [...slot.parts], sources: [...slot.sources], names, hasInjected })
      continue
    }
    const isAddition = hasInjected || (previous.hasInjected && previous.sources.length === 0)
    previous.parts.push(...slot.parts)
    previous.sources.push(...slot.sources)
    previous.names.push(...names)
    previous.hasInjected ||= hasInjected
    if (isAddition) continue
    repairs.push({
      ...(slot.sources[0] !== undefined && { message: slot.sources[0] }),
      repair: 'joined with the message before it, since nobody may speak twice in a row',
    })
  }
  return joined
}

function renderSlot(slot: JoinedSlot, counter: TokenCounter): RenderedMessage {
  const [only] = slot.sources
  const isAlone = slot.sources.length === 1 && only !== undefined && !slot.hasInjected
  if (isAlone && isWhole(only.content, slot.parts)) {
    const message = {
      role: slot.role,
      content: only.content,
      ...definedFields({ name: only.name }),
    }
    return { message, tokens: countStored(only, counter), sources: slot.sources }
  }
  const message = renderJoined(slot)
  return { message, tokens: countMessageTokens(counter.count, message), sources: slot.sources }
}

/** Nothing was taken away from the message or added to it. */
function isWhole(content: Content, parts: readonly Part[]): boolean {
  if (typeof content === 'string') return true
  return content.length === parts.length && content.every((part, i) => part === parts[i])
}

function countStored(message: Message, counter: TokenCounter): number {
  return message.tokenizer === counter.tokenizer ? message.tokens : countMessageTokens(counter.count, message)
}

function renderJoined({ role, parts, names }: JoinedSlot): ContextMessage {
  const [name] = names
  const isOneSpeaker = names.every((other) => other === name)
  const content = isOneSpeaker ? parts : parts.map((part, i) => withSpeaker(part, names[i]))
  const hasName = isOneSpeaker && name !== undefined && role !== 'tool'
  return { role, content: plainText(content) ?? content, ...(hasName && { name }) }
}

/** Several people in one message: each says who speaks. */
function withSpeaker(part: Part, name: string | undefined): Part {
  return part.type === 'text' && name !== undefined ? { ...part, text: `${name}: ${part.text}` } : part
}

export function sumTokens(messages: readonly RenderedMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0)
}
