// Texts that are hard for tokenizers, for property tests.

import fc from 'fast-check'

/** Character blocks that the split rules treat differently. */
const BLOCKS = [
  [0x00, 0x7f],
  [0x20, 0x7e],
  [0x80, 0x24f],
  [0x2b0, 0x36f],
  [0x370, 0x52f],
  [0x5d0, 0x6ff],
  [0x900, 0x97f],
  [0xe00, 0xe7f],
  [0x1e00, 0x1fff],
  [0x2000, 0x218f],
  [0x2460, 0x24ff],
  [0x3000, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xfb00, 0xffef],
  [0x10400, 0x1044f],
  [0x1d400, 0x1d7ff],
  [0x1f300, 0x1f9ff],
] as const

const character = fc.oneof(
  ...BLOCKS.map(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code))),
)

const oddity = fc.constantFrom(
  ...["don't", "I'LL", "we've", "'s", "'S", "'l", "'R", "'", 'camelCase', 'HTTPServer', 'ABCdef', 'iPhone'],
  ...['12345', '1,000.50', '²', 'Ⅷ', '٣', '  ', '\n\n', '\r\n', ' \t', '\t', '\u00a0', '\u3000', '\u2028'],
  ...[
    '://a/b',
    '...',
    '/',
    '//\n',
    '`x`',
    '-',
    '=====',
    '<|endoftext|>',
    'ǅ',
    'ǅa',
    'ʰ',
    'aʰB',
    '漢A',
    'A漢b',
  ],
  ...['\u0301', '\u0301A', '\u0301a', '!\u0301', '!!\u0301a', ' \u0301', "a\u0301'S", '👩‍👩‍👧', '🇩🇪'],
)

/** Half of a surrogate pair, which is counted as the replacement character. */
const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code))

const run = fc
  .tuple(
    fc.constantFrom(' ', '\n', 'a', 'A', '7', 'é', '漢', '=', '\u0301', '😀'),
    fc.integer({ min: 1, max: 40 }),
  )
  .map(([unit, count]) => unit.repeat(count))

const segment = fc.oneof(
  oddity,
  run,
  half,
  fc.lorem({ maxCount: 5 }),
  fc.string({ unit: character, maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

/**
 * Without the two characters that gpt-tokenizer, the reference of most properties, counts differently from
 * OpenAI.
 */
export const anyText: fc.Arbitrary<string> = fc
  .array(segment, { maxLength: 20 })
  .map((segments) => segments.join('').replace(/[\ufeff\u0085]/g, '.'))
