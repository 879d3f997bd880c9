import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conversationId, messageId } from '../../domain/ids.ts'
import type { StoredItem } from '../../store/derivations.ts'
import {
  type ExtractedFact,
  extractedFactKey,
  readExtractedFact,
  toExtractedFactBody,
} from './extracted-fact.ts'

const anyMoment = fc.date({ noInvalidDate: true })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const anyFact: fc.Arbitrary<ExtractedFact> = fc
  .record({
    action: fc.constantFrom('state' as const, 'end' as const, 'correct' as const),
    subject: fc.string(),
    attribute: fc.string(),
    value: optional(fc.string()),
    kind: fc.constantFrom('fact' as const, 'preference' as const, 'instruction' as const),
    validFrom: anyMoment,
    validUntil: optional(anyMoment),
    confidence: fc.double({ min: 0.01, max: 1, noNaN: true }),
    saidAt: anyMoment,
    evidence: fc.string(),
    shape: optional(fc.constantFrom('date' as const, 'name' as const)),
    insteadOf: optional(fc.string()),
    copyOf: optional(fc.string().map(messageId)),
  })
  .map((fields) => {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined)
    return { ...Object.fromEntries(given), messageId: messageId('m') } as ExtractedFact
  })

test('an extracted fact survives a round trip through the store', () => {
  fc.assert(
    fc.property(anyFact, fc.nat(), fc.nat(), (fact, position, index) => {
      const item: StoredItem = {
        kind: 'statement',
        key: extractedFactKey(position, index),
        body: JSON.parse(JSON.stringify(toExtractedFactBody(fact))),
        sources: [fact.messageId],
        madeBy: 'patterns',
        madeAt: new Date(0),
        tokens: 0,
        conversationId: conversationId('chat'),
        number: 1,
      }
      const place = { conversationId: 'chat', position, index, madeBy: 'patterns' }
      expect(readExtractedFact(item)).toEqual({ ...fact, ...place })
    }),
  )
})
