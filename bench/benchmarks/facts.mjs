import { extractFacts } from '../../dist/derive/facts/extract-facts.js'
import { foldFacts } from '../../dist/derive/facts/fold-facts.js'
import { median, timesMs } from '../measure.mjs'

const STATEMENTS = 10_000
const PLACES = ['Porto', 'Lisbon', 'Oslo', 'Ulm', 'Bergen']
const SENTENCES = [
  (i) => `I like ${['jazz', 'tea', 'chess', 'opera', 'rowing'][i % 5]} number ${i % 400}.`,
  (i) => `I moved to ${PLACES[i % 5]}.`,
  (i) => `I work at Company ${i % 30}.`,
  () => 'I am vegetarian.',
  (i) => `I no longer live in ${PLACES[i % 5]}.`,
  (i) => `I have a cat named Pixel${i % 200}.`,
  (i) => `I can't stand noise number ${i % 300}.`,
]

export const facts = {
  name: 'facts',
  about: `facts folded from ${STATEMENTS.toLocaleString('en')} statements, and going on with one more`,
  async run(fixture) {
    const statements = makeStatements()
    const whole = await timesMs(fixture.repeats(20), async () => foldFacts(statements, []).facts)
    const fold = foldFacts(statements.slice(0, -1000), [])
    const later = statements.slice(-1000)
    const one = await timesMs(900, async (i) => fold.addLater(later.slice(i, i + 1)))
    return [
      {
        what: `fold ${STATEMENTS.toLocaleString('en')} statements into facts`,
        unit: 'ms',
        ours: median(whole),
      },
      { what: 'go on from there with one statement', unit: 'ms', ours: median(one) },
    ]
  },
}

function makeStatements() {
  const statements = []
  for (let i = 0; statements.length < STATEMENTS; i++) {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + i * 600_000)
    const text = SENTENCES[i % SENTENCES.length](i)
    const message = { id: `m${i}`, role: 'user', text, createdAt }
    for (const [index, candidate] of extractFacts(message).entries()) {
      const conversationId = `c${Math.floor(i / 50)}`
      statements.push({ ...candidate, conversationId, position: i % 50, index, madeBy: 'patterns' })
    }
  }
  return statements.slice(0, STATEMENTS)
}
