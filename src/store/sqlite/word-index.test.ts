import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effort } from '../../../test/support/effort.ts'
import { indexableWords } from '../../domain/words.ts'
import { loadDriver } from './driver.ts'
import { toIndexed } from './word-index.ts'

const { DatabaseSync } = await loadDriver()

/** The words and positions that the index stores for a text. */
function wordsInIndex(text: string): unknown[] {
  const database = new DatabaseSync(':memory:')
  database.exec("CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = 'ascii')")
  database.exec("CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'instance')")
  database.prepare('INSERT INTO words (rowid, text) VALUES (1, ?)').run(text)
  const rows = database.prepare('SELECT term, offset FROM vocabulary ORDER BY offset').all()
  database.close()
  return rows
}

test('the index contains the same words whether a text was folded by us or by its tokenizer', () => {
  const ascii = fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code))
  const text = fc.oneof(
    fc.string({ unit: ascii, maxLength: 100 }),
    fc
      .array(
        fc.constantFrom(
          'Lisbon',
          'May',
          '_',
          '-',
          '4711',
          'snake_case',
          "don't",
          'x'.repeat(70),
          'é',
          '漢字',
        ),
        { maxLength: 12 },
      )
      .map((words) => words.join(' ')),
    // Around the maximum word length of the index, at any position in a text.
    fc
      .array(
        fc
          .oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 63, max: 67 }))
          .map((length) => 'x'.repeat(length)),
        { maxLength: 8 },
      )
      .map((words) => words.join(' ')),
  )
  fc.assert(
    fc.property(text, (sample) => {
      expect(wordsInIndex(toIndexed(sample))).toEqual(wordsInIndex(indexableWords(sample)))
    }),
    { numRuns: effort({ short: 100, long: 500 }) },
  )
})
