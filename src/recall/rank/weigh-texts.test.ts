import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../test/support/processor-ms.ts'
import { hasName, hasNumber, isQuestion, mentionsTime, statesPreference } from './weigh-texts.ts'

describe('what a message has', () => {
  test.each([
    ['We left last week.', true],
    ['It was on Tuesday', true],
    ['In 2019 I moved', true],
    ['for three years now', true],
    ['two more weeks', true],
    ['I may go.', false],
    ['The hotel is nice.', false],
  ])('a time: %s', (text, expected) => {
    expect(mentionsTime(text)).toBe(expected)
  })

  test.each([
    ['I have 3 dogs', true],
    ['I have two dogs', true],
    ['٣ كلاب', true],
    ['a dozen eggs', true],
    ['someone told me', false],
    ['I have dogs', false],
  ])('a number: %s', (text, expected) => {
    expect(hasNumber(text)).toBe(expected)
  })

  test.each([
    ['We flew to Lisbon', true],
    ['I just finished "the waves"', true],
    ['We went to Kraków. Great food!', true],
    ['Thanks, Ana! It was nice.', false],
    ['Lovely. It was nice, and I slept well.', false],
    ['we stayed at home', false],
  ])('a name that is not of one who speaks: %s', (text, expected) => {
    expect(hasName(text, new Set(['Ana', 'Joao']))).toBe(expected)
  })

  test.each([
    ["I'd rather take the train", true],
    ['I really prefer tea', true],
    ["I don't like meetings", true],
    ["I've decided to keep it", true],
    ['my preference is blue', true],
    ['The train is late', false],
    ['Do you like tea?', false],
  ])('a preference: %s', (text, expected) => {
    expect(statesPreference(text)).toBe(expected)
  })

  test.each([
    ['Where is it?', true],
    ['Where is it? ', true],
    ['"Where is it?"', true],
    ['Where is it? [a picture of a map]', true],
    ['Where is it? I wonder.', false],
    ['在哪里？', true],
    ['أين هو؟', true],
    ['', false],
  ])('a question: %s', (text, expected) => {
    expect(isQuestion(text)).toBe(expected)
  })

  test('whatever the text, in no time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        for (const read of [mentionsTime, hasNumber, statesPreference, isQuestion])
          expect(typeof read(text)).toBe('boolean')
      }),
    )
    const readLong = () => {
      for (const piece of ['i would ', '[', '? ', 'two more ', ')'.repeat(10)])
        for (const read of [mentionsTime, hasNumber, statesPreference, isQuestion]) read(piece.repeat(20_000))
    }
    expect(processorMs(readLong)).toBeLessThan(5000)
  })
})
