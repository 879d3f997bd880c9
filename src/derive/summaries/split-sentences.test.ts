import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitSentences } from './split-sentences.ts'

const texts = (text: string) => splitSentences(text).map((sentence) => sentence.text)

describe('sentences', () => {
  test('end at a punctuation mark followed by a space', () => {
    expect(texts('I am here. Are you? Good!')).toEqual(['I am here.', 'Are you?', 'Good!'])
  })

  test('do not end after abbreviations, after initials or inside numbers', () => {
    const whole = 'Mr. White paid 3.5 euros to J. Smith, e.g. for room No. 5 on Jan. 3.'
    expect(texts(whole)).toEqual([whole])
  })

  test('end after "No." when no number follows', () => {
    expect(texts('No. Their task is done.')).toEqual(['No.', 'Their task is done.'])
  })

  test('may end after p.m. and after "I"', () => {
    expect(texts('We met at 3 p.m. Then we left.')).toEqual(['We met at 3 p.m.', 'Then we left.'])
    expect(texts('So am I. You too.')).toEqual(['So am I.', 'You too.'])
  })

  test('keep an ellipsis inside', () => {
    expect(texts('Well... maybe. It is hard. . . I know.')).toEqual([
      'Well... maybe.',
      'It is hard. . .',
      'I know.',
    ])
  })

  test('keep a factorial sign inside', () => {
    expect(texts('We know that 4! = 24 here.')).toEqual(['We know that 4! = 24 here.'])
  })

  test('end at the punctuation of other scripts', () => {
    expect(texts('我吃素。你呢？好！')).toEqual(['我吃素。', '你呢？', '好！'])
    expect(texts('هل أنت هنا؟ نعم.')).toEqual(['هل أنت هنا؟', 'نعم.'])
    expect(texts('¿Vienes? Sí, claro.')).toEqual(['¿Vienes?', 'Sí, claro.'])
  })

  test('continue over a wrapped line and end at a short one', () => {
    const wrapped = 'This line is as long as a program makes it before it wraps\nand goes on.'
    expect(texts(wrapped)).toEqual([wrapped])
    expect(texts('Hello Ana\nWe need to talk')).toEqual(['Hello Ana', 'We need to talk'])
  })

  test('include the closing quote', () => {
    expect(texts('He said “stop.” Then he left.')).toEqual(['He said “stop.”', 'Then he left.'])
  })
})

describe('blocks', () => {
  test('code stays whole, whatever it contains', () => {
    const [before, code, after] = splitSentences('Run this:\n```js\na. b! c?\n\nd\n```\nDone.')
    expect(before?.kind).toBe('prose')
    expect(code).toMatchObject({ kind: 'code', text: '```js\na. b! c?\n\nd\n```' })
    expect(after?.text).toBe('Done.')
  })

  test('every list item is one piece', () => {
    const pieces = splitSentences('Buy:\n- milk. Not cream.\n- bread\n1. first\n')
    expect(pieces.map(({ kind }) => kind)).toEqual(['prose', 'item', 'item', 'item'])
  })

  test('an unclosed fence runs to the end', () => {
    expect(splitSentences('```\nx. Y.').map(({ kind }) => kind)).toEqual(['code'])
  })
})

describe('for any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom('Hi.', ' ', '\n', '```', '- ', 'Mr.', 'a', '!', '?', '. . .', '。', 'I', '3.5', '|'),
      )
      .map((parts) => parts.join('')),
  )

  test('the pieces are in the text at their offsets, in order, with only white space between them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let place = 0
        for (const { text: piece, start, end } of splitSentences(text)) {
          expect(text.slice(start, end)).toBe(piece)
          expect(text.slice(place, start).trim()).toBe('')
          place = end
        }
        expect(text.slice(place).trim()).toBe('')
      }),
    )
  })

  test('a million punctuation marks are fast', () => {
    const started = performance.now()
    for (const mark of ['!', '. ', '."', '?x', '\n', 'a']) splitSentences(`${mark.repeat(200_000)}b`)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
