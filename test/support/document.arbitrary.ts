// Documents as they come: headings of all levels, short and long paragraphs, lists, tables, code, words without
// end, any script.

import fc from 'fast-check'

const word = fc.constantFrom(
  ...'the river lies between hills and its water turns old mills; Lisbon sells tea 😀 naïve Straße 東京 שלום 12.5 a'.split(
    ' ',
  ),
)
const end = fc.constantFrom('.', '.', '?', '!', ',', '', ':')
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 25 }), end)
  .map(([words, mark]) => words.join(' ') + mark)
const prose = fc
  .tuple(fc.array(sentence, { minLength: 1, maxLength: 12 }), fc.constantFrom(' ', '\n', '  '))
  .map(([sentences, gap]) => sentences.join(gap))
const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.array(word, { minLength: 1, maxLength: 5 }))
  .map(([level, words]) => `${'#'.repeat(level)} ${words.join(' ')}`)
const list = fc
  .array(sentence, { minLength: 1, maxLength: 12 })
  .map((items) => items.map((item) => `- ${item}`).join('\n'))
const table = fc
  .tuple(
    fc.integer({ min: 2, max: 4 }),
    fc.array(fc.array(word, { minLength: 4, maxLength: 4 }), { maxLength: 60 }),
  )
  .map(([width, rows]) => {
    const line = (cells: readonly string[]) => `| ${cells.slice(0, width).join(' | ')} |`
    return [
      line(['name', 'place', 'price', 'since']),
      line(['---', '---', '---', '---']),
      ...rows.map(line),
    ].join('\n')
  })
const code = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.array(word, { minLength: 0, maxLength: 8 })), {
    maxLength: 60,
  })
  .map(
    (lines) =>
      `\`\`\`\n${lines.map(([depth, words]) => '  '.repeat(depth) + words.join('_')).join('\n')}\n\`\`\``,
  )
const endless = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom('x', 'ab1', '漢', '😀', 'é'))
  .map(([times, piece]) => piece.repeat(times))

const block = fc.oneof(
  { weight: 6, arbitrary: prose },
  { weight: 4, arbitrary: heading },
  { weight: 2, arbitrary: list },
  { weight: 2, arbitrary: table },
  { weight: 2, arbitrary: code },
  { weight: 1, arbitrary: endless },
)

export const aMarkdown: fc.Arbitrary<string> = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 25 }), fc.constantFrom('\n\n', '\n\n\n', '\r\n\r\n'))
  .map(([blocks, gap]) => blocks.join(gap))

/** Anything that can be typed. */
export const aWildText: fc.Arbitrary<string> = fc.oneof(
  aMarkdown,
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3000 }),
  fc
    .array(fc.constantFrom('#', ' ', '\n', '|', '-', '`', '>', '*', 'a', '\t', '1.', '\r\n', '😀'), {
      maxLength: 400,
    })
    .map((marks) => marks.join('')),
)
