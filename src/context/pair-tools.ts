// Calls and results belong together. Providers want every call answered right after it, and no answer
// without a call; what was recorded may be otherwise: results that came late, twice, or never, calls that
// were erased. Here a conversation becomes a list of slots in which every call is followed by its results.

import type { Message, Part, Role, ToolCallPart, ToolResultPart } from '../domain/message.ts'
import { partsOf } from '../domain/message.ts'

/** Stands for a result that was never recorded: the model should know that there is none. */
const NO_RESULT = 'No result was recorded for this call.'

/** One message to be sent, with the messages of the record it comes from. */
export interface Slot {
  readonly role: Exclude<Role, 'system'>
  readonly parts: Part[]
  readonly sources: Message[]
}

export interface Paired {
  readonly slots: readonly Slot[]
  readonly omitted: readonly Omission[]
  readonly repairs: readonly Repair[]
  /** How many calls have no result here. */
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

export function pairTools(messages: readonly Message[]): Paired {
  const slots: Slot[] = []
  const calls: OpenCall[] = []
  const omitted: Omission[] = []
  const repairs: Repair[] = []
  for (const message of messages) {
    if (message.erasedAt !== undefined) omitted.push({ message, reason: 'it was erased' })
    else if (message.isDamaged) omitted.push({ message, reason: 'it is damaged and cannot be read' })
    else if (message.role === 'tool') answer(message, { calls, slots, omitted, repairs })
    else speak(message, { calls, slots, omitted })
  }
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
      repair: `the call ${call.toolCallId} has no result in the record; the model is told so`,
    })
  }
  return { slots, omitted, repairs, openCalls: open.length }
}

function speak(message: Message, to: { calls: OpenCall[]; slots: Slot[]; omitted: Omission[] }): void {
  const parts = partsOf(message.content).filter(isSent)
  if (parts.length === 0) {
    to.omitted.push({ message, reason: 'it has nothing in it that can be sent' })
    return
  }
  to.slots.push({ role: message.role as Slot['role'], parts, sources: [message] })
  const toolCalls = parts.filter((part) => part.type === 'tool-call')
  if (toolCalls.length === 0) return
  const answers: Slot = { role: 'tool', parts: [], sources: [] }
  to.slots.push(answers)
  for (const call of toolCalls) to.calls.push({ call, message, answers, isAnswered: false })
}

/** Providers refuse blank text, and take no reasoning back. */
function isSent(part: Part): boolean {
  if (part.type === 'reasoning') return false
  return part.type !== 'text' || part.text.trim() !== ''
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
  if (!isUsed) to.omitted.push({ message, reason: 'it answers a tool call that is not in this context' })
  else if (results.some(({ toolCallId }) => !to.calls.some(({ call }) => call.toolCallId === toolCallId))) {
    to.repairs.push({ message, repair: 'a result whose call is not in this context was left out' })
  }
}

function noteMove(message: Message, open: OpenCall, to: { slots: readonly Slot[]; repairs: Repair[] }): void {
  if (to.slots.at(-1) === open.answers) return
  to.repairs.push({ message, repair: 'a result that came late was moved up to its call' })
}

/** Gemini wants the name of the tool with the result. */
function withTool(result: ToolResultPart, call: ToolCallPart): ToolResultPart {
  return result.toolName === undefined ? { ...result, toolName: call.toolName } : result
}
