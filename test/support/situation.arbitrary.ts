import fc from 'fast-check'
import { type BuiltContext, buildContext } from '../../src/context/build-context.ts'
import type { ContextMaterial, RecallResult } from '../../src/context/material.ts'
import { BudgetError } from '../../src/domain/errors.ts'
import type { Message } from '../../src/domain/message.ts'
import { conversation, countCharacters, toMessages } from './conversation.arbitrary.ts'
import { found, memory } from './memory.arbitrary.ts'

const counter = { tokenizer: 'characters', count: countCharacters }

export function materialOf(
  history: readonly Message[],
  more: Partial<ContextMaterial> = {},
): ContextMaterial {
  const systemMessages = history.filter(({ role, erasedAt }) => role === 'system' && erasedAt === undefined)
  return { history, systemMessages, tools: [], budgetTokens: 400, stepTokens: 50, counter, ...more }
}

/** Undefined where not even the live turn fits. */
export function tryBuild(material: ContextMaterial, what?: RecallResult): BuiltContext | undefined {
  try {
    return buildContext(material, what)
  } catch (error) {
    if (error instanceof BudgetError) return undefined
    throw error
  }
}

const request = fc.record(
  {
    query: fc.constantFrom('Where should we eat?', 'tea'),
    system: fc.constantFrom('Be kind.', ' '),
    tools: fc.constant([{ name: 'look_up', parameters: { type: 'object' } }]),
    budgetTokens: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1500, max: 9000 })),
    stepTokens: fc.constantFrom(0, 1, 50, 400),
  },
  { requiredKeys: [] },
)

/** Two who take turns, for so long that not all of it fits. */
const orderly = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 10, maxLength: 60 }).map((lengths) =>
  toMessages(
    lengths.map((words, i) => ({
      role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `${i} ${'word '.repeat(words)}`,
    })),
  ),
)

export interface Situation {
  readonly material: ContextMaterial
  readonly found: RecallResult
  /** All of the conversation. */
  readonly history: readonly Message[]
}

/** A conversation with memory beside it; its end may be all that was read of it. */
export const situation: fc.Arbitrary<Situation> = fc
  .record({ history: fc.oneof(conversation, orderly), request, memory, found, readFrom: fc.nat({ max: 10 }) })
  .map(({ history, request: more, memory: remembered, found: what, readFrom }) => {
    const isCut = readFrom > 0 && history.slice(readFrom).some(({ role }) => role === 'user')
    const beginning = isCut ? history.slice(0, readFrom) : []
    const material = materialOf(history, { ...more, memory: { ...remembered, beginning } })
    return {
      material: isCut ? { ...material, history: history.slice(readFrom) } : material,
      found: what,
      history,
    }
  })
