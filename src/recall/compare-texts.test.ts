import { expect, test } from 'vitest'
import { builtInEmbedder } from '../model/built-in/built-in-embedder.ts'
import type { Embedder } from '../model/embedder.ts'
import { compareTexts } from './compare-texts.ts'

const QUESTION = 'Which train goes to Lisbon?'

/** The built-in embedder, with a list of what it was asked for. */
function watched(): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    ...builtInEmbedder,
    asked,
    embed: (texts) => {
      asked.push(...texts)
      return builtInEmbedder.embed(texts)
    },
  }
}

test('a text that is like the question is nearer than one that is not', async () => {
  const [near = 0, far = 1] = await compareTexts(
    watched(),
    QUESTION,
  )(['The train to Lisbon leaves at nine.', 'My cat sleeps.'])
  expect(near).toBeGreaterThan(far)
  expect(far).toBeGreaterThanOrEqual(0)
})

test('what came up before is not worked out again', async () => {
  const embedder = watched()
  const first = await compareTexts(embedder, QUESTION)(['a train', 'a cat', 'a train'])
  const again = await compareTexts(embedder, QUESTION)(['a cat', 'a train'])
  expect(again).toEqual([first[1], first[0]])
  expect(embedder.asked).toEqual([QUESTION, 'a train', 'a cat', QUESTION])
})

test('however many texts there are, and whoever asks at the same time, each has its own nearness', async () => {
  const texts = Array.from({ length: 1300 }, (_, i) => `train ${i} to ${i % 7 === 0 ? 'Lisbon' : 'Porto'}`)
  const alone = async (text: string) => (await compareTexts(watched(), QUESTION)([text]))[0]
  const expected = await Promise.all(texts.map(alone))
  const embedder = watched()
  const compare = compareTexts(embedder, QUESTION)
  await compare(texts.slice(0, 400))
  const halves = await Promise.all([compare(texts), compare(texts.toReversed())])
  expect(halves[0]).toEqual(expected)
  expect(halves[1]).toEqual(expected.toReversed())
})

test('a pasted book is compared, and not kept', async () => {
  const embedder = watched()
  const book = 'The train to Lisbon. '.repeat(500)
  await compareTexts(embedder, QUESTION)([book])
  await compareTexts(embedder, QUESTION)([book])
  expect(embedder.asked.filter((text) => text === book)).toHaveLength(2)
})
