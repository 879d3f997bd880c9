// Turns recorded messages into messages that every provider accepts. It pairs tool calls with results, and the
// first message is the user's and roles alternate, as Anthropic and Gemini require. Every change to what was recorded
// is listed as a repair, for the receipt.
//
// Memory is added to user messages: before the first message, and before the question. It joins the user's own text,
// so the order of roles stays the same.

import { definedFields } from '../domain/defined-fields.ts'
import type { ContextMessage } from '../domain/message.ts'
import { type Content, type Message, type Part, plainText } from '../domain/message.ts'
import { type CountTokens, countMessageTokens } from '../domain/tokens.ts'
import { type Omission, pairTools, type Repair, type Slot } from './pair-tools.ts'

const ASSISTANT_BEGAN = '(The assistant speaks first in this conversation.)'

/** A message to send, its cost and its sources. */
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

/** The tokenizer in use; stored counts may come from another one. */
export interface TokenCounter {
  readonly tokenizer: string
  readonly count: CountTokens
}

/** Memory texts, already enclosed in their marks. */
export interface Injections {
  /** Goes before everything else. */
  readonly prefix?: string
  /** Goes before the first user message of the live turn. */
  readonly inline?: string
}

export interface RenderOptions extends Injections {
  readonly counter: TokenCounter
  /** The messages of the live turn: their reasoning is sent. */
  readonly live?: ReadonlySet<Message>
}

export function renderContext(
  messages: readonly Message[],
  { counter, live = new Set(), ...injections }: RenderOptions,
): Rendered {
  const paired = pairTools(messages, live)
  const repairs: Repair[] = [...paired.repairs]
  const slots: SourcedSlot[] = [...paired.slots]
  const isAssistantFirst = slots[0]?.role === 'assistant'
  if (isAssistantFirst) slots.unshift(toSlot(ASSISTANT_BEGAN))
  inject(slots, live, injections)
  const rendered = joinSameRole(slots, repairs).map((slot) => renderSlot(slot, counter))
  if (isAssistantFirst) {
    repairs.push({
      repair: 'a line was added before the first message, because providers want the user to speak first',
    })
  }
  return { messages: rendered, omitted: paired.omitted, repairs }
}

/** A slot that may have no recorded message. */
interface SourcedSlot extends Slot {
  readonly isInjected?: true
}

const toSlot = (text: string): SourcedSlot => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  sources: [],
  isInjected: true,
})

function inject(slots: SourcedSlot[], live: ReadonlySet<Message>, { prefix, inline }: Injections): void {
  const question = slots.findIndex(
    ({ role, sources }) => role === 'user' && sources.some((message) => live.has(message)),
  )
  if (inline !== undefined && question >= 0) slots.splice(question, 0, toSlot(inline))
  if (prefix !== undefined && slots.length > 0) slots.unshift(toSlot(prefix))
}

/** A slot made of one or more messages; `names` has one entry per part. */
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
      repair: 'joined with the message before it, because roles must alternate',
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

/** The message is sent unchanged. */
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
  // A part with metadata stays a part: a signature belongs to the exact text that it came with.
  const hasMetadata = content.some(({ providerMetadata }) => providerMetadata !== undefined)
  const text = hasMetadata ? undefined : plainText(content)
  return { role, content: text ?? content, ...(hasName && { name }) }
}

/** With several speakers in one message, each text starts with its speaker. */
function withSpeaker(part: Part, name: string | undefined): Part {
  return part.type === 'text' && name !== undefined ? { ...part, text: `${name}: ${part.text}` } : part
}

export function sumTokens(messages: readonly RenderedMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0)
}
