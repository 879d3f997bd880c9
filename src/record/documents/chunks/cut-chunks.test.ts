import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { aMarkdown, aWildText } from '../../../../test/support/document.arbitrary.ts'
import { effort } from '../../../../test/support/effort.ts'
import type { DocumentText } from '../../../domain/document.ts'
import type { CountTokens } from '../../../domain/tokens.ts'
import { loadTokenizer } from '../../../model/built-in/load-tokenizer.ts'
import { Pace } from '../pace.ts'
import { readCsv, readJson } from '../readers/read-data.ts'
import { readMarkdown } from '../readers/read-markdown.ts'
import { readCode, readPlain } from '../readers/read-text.ts'
import { type CutChunk, cutChunks } from './cut-chunks.ts'

let count: CountTokens
let estimate: CountTokens
beforeAll(async () => {
  count = (await loadTokenizer('o200k')).count
  estimate = (await loadTokenizer('estimate')).count
})

const cut = async (
  document: DocumentText,
  more: { size?: number; overlap?: number; count?: CountTokens } = {},
) => {
  const { size = 300, overlap = 50, count: counted = count } = more
  const chunking = { chunkSize: size, chunkOverlap: overlap, count: counted, pace: new Pace() }
  return (await cutChunks(document, chunking)).chunks
}

const cutMarkdown = (text: string) => cut(readMarkdown({ text }))

/** What a chunk repeats of the one before it, in tokens. */
const overlaps = (text: string, chunks: readonly CutChunk[]) =>
  chunks.slice(1).map(({ start }, i) => count(text.slice(start, Math.max(start, chunks[i]?.end ?? 0))))

const sentences = (number: number, about = 'The river') =>
  Array.from(
    { length: number },
    (_, i) => `${about} passes mill number ${i} on its way down to the sea.`,
  ).join(' ')

const READERS: readonly ((text: string) => DocumentText)[] = [
  (text) => readMarkdown({ text }),
  (text) => readPlain({ text }),
  (text) => readCode({ text }),
]

describe('whatever the document', () => {
  test('every character of it is in a chunk, and chunks are in order', async () => {
    await fc.assert(
      fc.asyncProperty(aWildText, fc.constantFrom(...READERS), async (text, read) => {
        const chunks = await cut(read(text))
        let covered = 0
        for (const [i, { index, start, end }] of chunks.entries()) {
          expect(index).toBe(i)
          expect(start).toBeLessThanOrEqual(covered)
          expect(end).toBeGreaterThan(covered)
          if (text.trim() !== '') expect(chunks[i]?.text).not.toBe('')
          covered = end
        }
        expect(covered).toBe(text.length)
      }),
      { numRuns: effort({ short: 50, long: 200 }) },
    )
  })

  test('its text is copied from the document, except for blank lines around it and repeated table headers', async () => {
    await fc.assert(
      fc.asyncProperty(aMarkdown, async (text) => {
        for (const chunk of await cutMarkdown(text)) {
          const words = text
            .slice(chunk.start, chunk.end)
            .replace(/^(?:[ \t]*\r?\n)+/, '')
            .trimEnd()
          expect(chunk.text.endsWith(words)).toBe(true)
          const more = chunk.text.slice(0, chunk.text.length - words.length)
          if (more !== '') expect(text.slice(0, chunk.start)).toContain(more)
        }
      }),
      { numRuns: effort({ short: 30, long: 100 }) },
    )
  })

  test('no chunk is larger than it may be, nor has half a character, whatever the size and the tokenizer', async () => {
    const sizes = fc.tuple(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 0, max: 100 }))
    await fc.assert(
      fc.asyncProperty(aWildText, sizes, fc.boolean(), async (text, [size, overlap], isEstimated) => {
        const counted = isEstimated ? estimate : count
        for (const chunk of await cut(readMarkdown({ text }), { size, overlap, count: counted })) {
          expect(chunk.tokens).toBeLessThanOrEqual(size)
          expect(counted(chunk.text)).toBe(chunk.tokens)
          expect(chunk.text.isWellFormed()).toBe(true)
        }
      }),
      { numRuns: effort({ short: 50, long: 200 }) },
    )
  })

  test('the same text gives the same chunks', async () => {
    await fc.assert(
      fc.asyncProperty(aMarkdown, async (text) => {
        expect(await cutMarkdown(text)).toEqual(await cutMarkdown(text))
      }),
      { numRuns: effort({ short: 10, long: 30 }) },
    )
  })

  test('what is repeated has 30 to 60 tokens, or nothing is', async () => {
    await fc.assert(
      fc.asyncProperty(aMarkdown, async (text) => {
        for (const tokens of overlaps(text, await cutMarkdown(text))) {
          if (tokens === 0) continue
          expect(tokens).toBeGreaterThanOrEqual(30)
          expect(tokens).toBeLessThanOrEqual(60)
        }
      }),
      { numRuns: effort({ short: 30, long: 100 }) },
    )
  })

  test('the path of a chunk consists of headings above or in it, in order', async () => {
    await fc.assert(
      fc.asyncProperty(aMarkdown, async (text) => {
        const { blocks } = readMarkdown({ text })
        const chunks = await cutMarkdown(text)
        for (const { headingPath, end } of chunks) {
          const titles = blocks
            .filter(({ kind, start }) => kind === 'heading' && start < end)
            .map(({ title }) => title)
          let from = 0
          for (const title of headingPath) from = titles.indexOf(title, from) + 1
          expect(headingPath.length === 0 || from > 0).toBe(true)
        }
      }),
      { numRuns: effort({ short: 16, long: 50 }) },
    )
  })
})

describe('prose', () => {
  test('becomes chunks of 200 to 300 tokens that share 30 to 60 and begin with a sentence', async () => {
    const text = Array.from({ length: 40 }, (_, i) => sentences(3 + (i % 7))).join('\n\n')
    const chunks = await cut(readPlain({ text }))
    expect(chunks.length).toBeGreaterThan(10)
    for (const { tokens } of chunks.slice(0, -1)) {
      expect(tokens).toBeGreaterThanOrEqual(200)
      expect(tokens).toBeLessThanOrEqual(300)
    }
    for (const tokens of overlaps(text, chunks)) {
      expect(tokens).toBeGreaterThanOrEqual(30)
      expect(tokens).toBeLessThanOrEqual(60)
    }
    for (const chunk of chunks) expect(chunk.text).toMatch(/^The river/)
  })

  test('without a single full stop is cut between words', async () => {
    const text = 'willow birch maple '.repeat(500)
    const chunks = await cut(readPlain({ text }))
    for (const chunk of chunks)
      expect(chunk.text).toMatch(/^(?:willow|birch|maple)\b.*\b(?:willow|birch|maple)$/s)
    for (const tokens of overlaps(text, chunks)) expect(tokens).toBeGreaterThanOrEqual(30)
  })

  test('is not padded: a short text is one chunk', async () => {
    expect(await cut(readPlain({ text: 'Tea at five.' }))).toEqual([
      { index: 0, headingPath: [], text: 'Tea at five.', tokens: 4, start: 0, end: 12 },
    ])
  })
})

describe('headings', () => {
  test('start new chunks, which repeat nothing from above', async () => {
    const text = `# Rivers\n\n${sentences(18)}\n\n## Mills\n\n${sentences(18, 'The mill')}\n\n# Hills\n\n${sentences(18, 'The hill')}`
    const chunks = await cutMarkdown(text)
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['Rivers'], ['Rivers', 'Mills'], ['Hills']])
    expect(chunks.map(({ text: words }) => words.split('\n')[0])).toEqual(['# Rivers', '## Mills', '# Hills'])
  })

  test('stay with what they are the heading of', async () => {
    const text = `# Top\n\n${sentences(19)}\n\n## Last\n\n${sentences(40)}`
    for (const { text: words } of await cutMarkdown(text)) expect(words).not.toMatch(/#+ \w+$/)
  })

  test('of small sections are put together under the heading that they share', async () => {
    const entries = Array.from({ length: 30 }, (_, i) => `### Question ${i}\n\n${sentences(2)}`)
    const chunks = await cutMarkdown(`# Help\n\n## Questions\n\n${entries.join('\n\n')}`)
    for (const { headingPath, tokens } of chunks.slice(1, -1)) {
      expect(headingPath).toEqual(['Help', 'Questions'])
      expect(tokens).toBeGreaterThan(200)
    }
    for (const { text: words } of chunks) expect(words).toMatch(/^#/)
  })

  test('of another chapter are never put under this one', async () => {
    const text = ['# One', '## a', 'Short.', '# Two', '## b', 'Short too.'].join('\n\n')
    const [chunk] = await cutMarkdown(text)
    expect(chunk?.headingPath).toEqual([])
    const long = `# One\n\n${sentences(18)}\n\n## a\n\nShort.\n\n# Two\n\n${sentences(18)}`
    const chunks = await cutMarkdown(long)
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual([['One'], ['Two']])
    expect(chunks[0]?.text).toContain('## a')
  })
})

describe('tables', () => {
  const rows = (number: number) =>
    Array.from(
      { length: number },
      (_, i) => `| mill ${i} | ${i * 3} sacks of flour a day | since ${1700 + i} |`,
    )
  const head = '| name | makes | age |\n| --- | --- | --- |'

  test('are cut between rows, with their head in every chunk', async () => {
    const text = `# Mills\n\nAs follows:\n\n${head}\n${rows(80).join('\n')}\n`
    const chunks = await cutMarkdown(text)
    expect(chunks.length).toBeGreaterThan(4)
    for (const chunk of chunks) {
      expect(chunk.headingPath).toEqual(['Mills'])
      expect(chunk.text).toContain(head)
      for (const line of chunk.text.split('\n').filter((words) => words.includes('mill ')))
        expect(line).toMatch(/^\| mill \d+ \| \d+ sacks of flour a day \| since \d+ \|$/)
    }
  })

  test('of CSV repeat their first row', async () => {
    const text = `name;makes\n${Array.from({ length: 200 }, (_, i) => `mill ${i};"${i} sacks, or\nmore"`).join('\n')}`
    const chunks = await cut(readCsv({ text, name: 'mills.csv' }))
    expect(chunks.length).toBeGreaterThan(4)
    for (const chunk of chunks) {
      expect(chunk.text).toMatch(/^name;makes\nmill \d+;/)
      expect(chunk.text).toMatch(/more"$/)
    }
  })

  test('with a row that no chunk can hold lose nothing', async () => {
    const giant = `| ${'a very long story about flour '.repeat(120)} | x | y |`
    const text = `${head}\n${rows(3).join('\n')}\n${giant}\n${rows(3).join('\n')}`
    const chunks = await cutMarkdown(text)
    for (const { tokens } of chunks) expect(tokens).toBeLessThanOrEqual(300)
    expect(chunks.at(-1)?.end).toBe(text.length)
  })
})

describe('code', () => {
  const lines = (number: number) => Array.from({ length: number }, (_, i) => `  turn(wheel, ${i})`).join('\n')

  test('in a document stays whole where it fits into a chunk', async () => {
    const block = `\`\`\`js\n${lines(25)}\n\`\`\``
    const text = `${sentences(12)}\n\n${block}\n\n${sentences(12)}`
    expect((await cutMarkdown(text)).some((chunk) => chunk.text.includes(block))).toBe(true)
  })

  test('is cut at what it declares, and a chunk says in what it lies', async () => {
    const part = (name: string) =>
      `/** Turns ${name}. */\nexport function ${name}(wheel: Wheel): void {\n${lines(24)}\n}`
    const text = `import { turn } from './wheel.ts'\n\n${part('first')}\n\n${part('second')}\n\nclass Mill {\n  grind(sacks: number): void {\n${lines(40)}\n  }\n}\n`
    const chunks = await cut(readCode({ text }))
    const paths = chunks.map(({ headingPath }) => headingPath.map((title) => title.replace(/\(.*/, '')))
    expect(paths).toContainEqual(['export function first'])
    expect(paths).toContainEqual(['export function second'])
    expect(paths.at(-1)).toEqual(['class Mill', 'grind'])
    expect(chunks.find((chunk) => chunk.text.includes('function second'))?.text).toMatch(
      /^\/\*\* Turns second/,
    )
  })
})

describe('JSON', () => {
  test('is cut at its keys, which make the path', async () => {
    const services = Object.fromEntries(
      Array.from({ length: 6 }, (_, i) => [
        `mill-${i}`,
        { wheels: Array.from({ length: 60 }, (_, n) => n), owner: `Owner ${i}` },
      ]),
    )
    const text = JSON.stringify({ name: 'mills', services }, null, 2)
    const chunks = await cut(readJson({ text, name: 'mills.json' }))
    expect(chunks.map(({ headingPath }) => headingPath.join('.'))).toEqual(
      expect.arrayContaining(['services.mill-0.wheels', 'services.mill-5.wheels']),
    )
  })

  test('of many small items is put together under their list', async () => {
    const text = JSON.stringify({
      items: Array.from({ length: 100 }, (_, i) => ({ id: i, name: `mill ${i}` })),
    })
    const chunks = await cut(readJson({ text, name: 'mills.json' }))
    for (const { headingPath, tokens } of chunks.slice(1, -1)) {
      expect(headingPath).toEqual(['items'])
      expect(tokens).toBeGreaterThan(200)
    }
  })
})

/** Gives others their turn at every chance, however fast the machine is. */
class EagerPace extends Pace {
  override get isDue(): boolean {
    return true
  }
}

test('cutting can be aborted and reports its progress', async () => {
  const text = Array.from({ length: 3000 }, () => sentences(4)).join('\n\n')
  const controller = new AbortController()
  const told: number[] = []
  const pace = new EagerPace({
    signal: controller.signal,
    onProgress: ({ done }) => {
      told.push(done)
      if (done > text.length / 4) controller.abort(new Error('enough'))
    },
  })
  const chunking = { chunkSize: 300, chunkOverlap: 50, count, pace }
  await expect(cutChunks(readPlain({ text }), chunking)).rejects.toThrow('enough')
  expect(told.length).toBeGreaterThan(1)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
})
