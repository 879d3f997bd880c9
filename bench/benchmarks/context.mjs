import { openMemory } from '../../dist/index.js'
import { createMessageWriter, createWriter } from '../made-up-text.mjs'
import { median, quantile, timeMs } from '../measure.mjs'

/** What the default window leaves for the request. */
const DEFAULT_BUDGET = 120_000
const SMALL_BUDGET = 2000

export const context = {
  name: 'context',
  about:
    'context() of a long conversation in the default window (120,000 tokens) and in 2,000 tokens, with memory and without',
  async run(fixture) {
    const count = fixture.sizes.contextMessages
    const path = await fixture.derivedCopyOf(await fixture.longConversation(count))
    const memory = await openMemory(path)
    await tellAboutUser(memory)
    const conversation = memory.conversation('long')
    const large = await timeTurns(fixture, conversation, { seed: 6 })
    const alone = await timeTurns(fixture, conversation, { seed: 8, memory: false })
    const small = await timeTurns(fixture, conversation, { seed: 7, budgetTokens: SMALL_BUDGET })
    await memory.close()
    const rows = ({ times, messages, tokens }, window, { aim, without = '' } = {}) => {
      const what = `context of ${inEnglish(count)} messages in ${inEnglish(window)} tokens${without}`
      return [
        { what: `${what}, median`, unit: 'ms', ours: median(times), aim },
        { what: `${what}, 95th percentile`, unit: 'ms', ours: quantile(times, 0.95), aim },
        { what: '  messages in it', unit: 'messages', ours: messages },
        { what: '  tokens in it', unit: 'tokens', ours: tokens },
      ]
    }
    return [
      ...rows(large, DEFAULT_BUDGET, { aim: { most: 50 } }),
      ...rows(alone, DEFAULT_BUDGET, { aim: { most: 50 }, without: ', memory off' }),
      ...rows(small, SMALL_BUDGET),
    ]
  },
}

/** Standing instructions and facts. */
async function tellAboutUser(memory) {
  await memory.conversation('about-me').record([
    {
      role: 'user',
      content: 'I am vegetarian, I live in Porto and I work at Siemens. Always answer in German.',
    },
    { role: 'user', content: 'I love tea, jazz and long walks.' },
  ])
  await memory.preferences.update('units', 'metric')
}

const inEnglish = (number) => number.toLocaleString('en')

/** As in a chat: the turn before is recorded, then the context for a new question is made. Only that is timed. */
async function timeTurns(fixture, conversation, { seed, ...request }) {
  const writeMessages = createMessageWriter(seed)
  const writeQuestion = createWriter(-seed)
  const times = []
  let made
  for (let i = 0, repeats = fixture.repeats(100); i < repeats + 5; i++) {
    await conversation.record(writeMessages(2))
    const question = writeQuestion(12)
    const time = await timeMs(async () => {
      made = await conversation.context(question, request)
    })
    if (i >= 5) times.push(time)
  }
  const tokens = made.receipt.parts.reduce((sum, part) => sum + part.tokens, 0)
  return { times, tokens, messages: made.messages.length }
}
