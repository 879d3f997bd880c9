import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageId } from '../../domain/ids.ts'
import { addRoll, type PastSentence, sentencesBefore, thinOut } from './summary-history.ts'

const toSentence = (number: number) => ({ text: `s${number}`, messageId: messageId(`m${number}`), weight: 1 })

/** Realistic rolls: each keeps some sentences of the previous one and adds some new ones. */
const rolls = fc
  .array(
    fc.record({
      kept: fc.infiniteStream(fc.boolean()),
      added: fc.nat({ max: 4 }),
      grown: fc.integer({ min: 1, max: 15 }),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((steps) => {
    let through = 0
    let next = 0
    let current: number[] = []
    return steps.map(({ kept, added, grown }) => {
      through += grown
      current = current.filter(() => kept.next().value)
      for (let i = 0; i < added; i++) current.push(next++)
      return { through, sentences: current.map(toSentence) }
    })
  })

const textsOf = (sentences: readonly { readonly text: string }[]) => sentences.map(({ text }) => text)

test('for any position, finds the summary of the last roll that covered only messages before it', () => {
  fc.assert(
    fc.property(rolls, fc.nat({ max: 300 }), (steps, position) => {
      const history = steps.reduce<readonly PastSentence[]>(
        (so, { sentences, through }) => addRoll(so, sentences, through),
        [],
      )
      const last = steps.findLast(({ through }) => through <= position)
      expect(textsOf(sentencesBefore(history, position))).toEqual(textsOf(last?.sentences ?? []))
    }),
  )
})

test('a sentence that stays is stored once, no matter how many rolls keep it', () => {
  const sentences = [1, 2, 3].map(toSentence)
  let history: readonly PastSentence[] = []
  for (let roll = 1; roll <= 100; roll++) history = addRoll(history, sentences, roll * 12)
  expect(history).toHaveLength(3)
})

test('a history stays small: old dropped sentences are forgotten, current ones are not', () => {
  let history: readonly PastSentence[] = []
  for (let roll = 1; roll <= 1000; roll++) {
    history = addRoll(history, [toSentence(0), toSentence(roll)], roll * 12)
  }
  expect(history.length).toBeLessThan(500)
  expect(textsOf(sentencesBefore(history, 12_000))).toEqual(['s0', 's1000'])
  expect(textsOf(sentencesBefore(history, 12_000 - 240))).toEqual(['s0', 's980'])
})

test('keeps fewer model summaries the older they are, and never brings one back', () => {
  let texts = thinOut([])
  for (let number = 1; number <= 1000; number++) {
    const before = texts
    texts = thinOut([...texts, { number, through: number * 12, text: `t${number}` }])
    expect(texts.slice(0, -1).every((text) => before.includes(text))).toBe(true)
  }
  expect(texts.length).toBeLessThan(80)
  for (const age of [1, 7, 20, 60, 200, 500]) {
    const nearest = texts.findLast(({ number }) => number <= 1000 - age)?.number ?? 0
    expect(1000 - age - nearest).toBeLessThanOrEqual(age / 4)
  }
})
