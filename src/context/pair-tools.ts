// Pairs tool calls with their results. Providers want every call followed by its result, and no result without a
// call. The record may hold results that came late, twice or never, and calls that were erased. The output is a list
// of slots in which every call is followed by its results.
//
// Reasoning is sent only within the current tool loop: there, providers with signed reasoning refuse a call without it.
// Reasoning of earlier turns is left out, which every provider allows.

import type { Message, Part, Role, ToolCallPart, ToolResultPart } from '../domain/message.ts'
import { partsOf } from '../domain/message.ts'

/** Sent in place of a result that was never recorded. */
const NO_RESULT = 'No result was recorded for this call.'

/** One message to send, with the recorded messages it was made from. */
export interface Slot {
  readonly role: Exclude<Role, 'system'>
  readonly parts: Part[]
  readonly sources: Message[]
}

export interface Paired {
  readonly slots: readonly Slot[]
  readonly omitted: readonly Omission[]
  readonly repairs: readonly Repair[]
  /** Number of calls without a result. */
  readonly openCalls: number
}

export interface Omission {
  readonly message: Message
  readonly reason: string
}

export interface Repair {
  readonly message?: Message
  readonly repair: string
}

interface OpenCall {
  readonly call: ToolCallPart
  readonly message: Message
  readonly answers: Slot
  isAnswered: boolean
}

/** `live` has the messages of the live turn; see `findLoop`. */
export function pairTools(messages: readonly Message[], live: ReadonlySet<Message> = new Set()): Paired {
  const slots: Slot[] = []
  const calls: OpenCall[] = []
  const omitted: Omission[] = []
  const repairs: Repair[] = []
  const loop = findLoop(messages, live)
  for (const message of messages) {
    if (message.erasedAt !== undefined) omitted.push({ message, reason: 'it was erased' })
    else if (message.isDamaged) omitted.push({ message, reason: 'it is damaged and cannot be read' })
    else if (message.role === 'tool') answer(message, { calls, slots, omitted, repairs })
    else speak(message, { calls, slots, hasReasoning: loop.has(message) })
  }
  const sent = dropEmpty(slots, omitted)
  const open = calls.filter(({ isAnswered }) => !isAnswered)
  for (const { call, message, answers } of open) {
    answers.parts.push({
      type: 'tool-result',
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      output: NO_RESULT,
    })
    repairs.push({
      message,
      repair: `no result is recorded for the call ${call.toolCallId}; a line that says so was added`,
    })
  }
  return { slots: sent, omitted, repairs: [...repairs, ...countUnsent(sent)], openCalls: open.length }
}

/**
 * The messages of the current tool loop. These are the live ones; if the user interrupted a loop that had no answer
 * yet, the live turn has no answer either, and the interrupted turn belongs to it.
 */
function findLoop(messages: readonly Message[], live: ReadonlySet<Message>): ReadonlySet<Message> {
  const start = messages.findIndex((message) => live.has(message))
  if (start < 0 || messages.slice(start).some(({ role }) => role === 'assistant')) return live
  const before = messages.slice(0, start)
  const last = before.findLastIndex(({ role }) => role === 'assistant')
  const isOpen = partsOf(before[last]?.content ?? '').some(({ type }) => type === 'tool-call')
  if (!isOpen) return live
  const question = before.slice(0, last).findLastIndex(({ role }) => role === 'user')
  return new Set(messages.slice(question + 1))
}

function speak(
  message: Message,
  { calls, slots, hasReasoning }: { calls: OpenCall[]; slots: Slot[]; hasReasoning: boolean },
): void {
  const parts = partsOf(message.content).filter((part) => isSent(part, hasReasoning))
  slots.push({ role: message.role as Slot['role'], parts, sources: [message] })
  const toolCalls = parts.filter((part) => part.type === 'tool-call')
  if (toolCalls.length === 0) return
  const answers: Slot = { role: 'tool', parts: [], sources: [] }
  slots.push(answers)
  for (const call of toolCalls) calls.push({ call, message, answers, isAnswered: false })
}

/** Providers refuse blank text; only Gemini signs it. */
function isSent(part: Part, hasReasoning: boolean): boolean {
  if (part.type === 'reasoning') return hasReasoning
  return part.type !== 'text' || part.text.trim() !== '' || part.providerMetadata !== undefined
}

/** A message needs more than reasoning and blank text, and Anthropic refuses one that ends with reasoning. */
function dropEmpty(slots: readonly Slot[], omitted: Omission[]): readonly Slot[] {
  return slots.filter((slot, i) => {
    if (slot.role === 'tool') return true
    if (slot.parts.at(-1)?.type !== 'reasoning' && slot.parts.some(isContent)) return true
    const next = slots.find(
      (other, at) => at > i && (other.role !== slot.role || other.parts.some(isContent)),
    )
    // The same speaker continues: both become one message.
    if (slot.parts.length > 0 && next?.role === slot.role) return true
    const last = slot.parts.findLastIndex(({ type }) => type !== 'reasoning')
    slot.parts.splice(last + 1)
    if (slot.parts.some(isContent)) return true
    omitted.push(...slot.sources.map((message) => ({ message, reason: 'it has no content to send' })))
    return false
  })
}

const isContent = (part: Part): boolean =>
  part.type !== 'reasoning' && (part.type !== 'text' || part.text.trim() !== '')

function countUnsent(slots: readonly Slot[]): readonly Repair[] {
  const unsent = slots.filter(({ sources: [message], parts }) => {
    if (message === undefined || typeof message.content === 'string') return false
    return message.content.some((part) => part.type === 'reasoning' && !parts.includes(part))
  })
  if (unsent.length === 0) return []
  const messages = unsent.length === 1 ? 'one message' : `${unsent.length} messages`
  return [{ repair: `the reasoning in ${messages} is not sent, because no open tool loop needs it` }]
}

function answer(
  message: Message,
  to: { calls: OpenCall[]; slots: readonly Slot[]; omitted: Omission[]; repairs: Repair[] },
): void {
  const results = partsOf(message.content).filter((part) => part.type === 'tool-result')
  let isUsed = false
  for (const result of results) {
    const open = to.calls.findLast(
      ({ call, isAnswered }) => !isAnswered && call.toolCallId === result.toolCallId,
    )
    if (open === undefined) continue
    open.isAnswered = true
    if (!isUsed) noteMove(message, open, to)
    open.answers.parts.push(withTool(result, open.call))
    if (open.answers.sources.at(-1) !== message) open.answers.sources.push(message)
    isUsed = true
  }
  if (!isUsed) to.omitted.push({ message, reason: 'its tool call is not in this context' })
  else if (results.some(({ toolCallId }) => !to.calls.some(({ call }) => call.toolCallId === toolCallId))) {
    to.repairs.push({ message, repair: 'a result was left out because its call is not in this context' })
  }
}

function noteMove(message: Message, open: OpenCall, to: { slots: readonly Slot[]; repairs: Repair[] }): void {
  if (to.slots.at(-1) === open.answers) return
  to.repairs.push({ message, repair: 'a late result was moved up to its call' })
}

/** Gemini needs the name of the tool with the result. */
function withTool(result: ToolResultPart, call: ToolCallPart): ToolResultPart {
  return result.toolName === undefined ? { ...result, toolName: call.toolName } : result
}
