import { openRecord } from '../fixture.mjs'
import { createMessageWriter, seededRandom } from '../made-up-text.mjs'
import { takeTurns, timeMs } from '../measure.mjs'

/** In one round. */
const APPENDS = 50
const SMALL = 10

export const appendGrowth = {
  name: 'append-growth',
  about: 'one append when there is much already, against one when there is little',
  run: async (fixture) => [await byMessages(fixture), await byConversations(fixture)],
}

async function byMessages(fixture) {
  const { messages } = fixture.sizes
  const small = await openRecord(fixture.newPath())
  const large = await openRecord(fixture.copyOf(await fixture.longConversation(messages)))
  const writers = { small: createMessageWriter(8), large: createMessageWriter(9) }
  const figures = await takeTurns({
    rounds: fixture.repeats(60),
    async floor(round) {
      // Always a new one, or it would be a long conversation too before the end.
      const conversation = small.conversation(`small ${round}`)
      await conversation.record(writers.small(SMALL))
      return timeAppends(writers.small(APPENDS), () => conversation)
    },
    ours: () => timeAppends(writers.large(APPENDS), () => large.conversation('long')),
  })
  await small.close()
  await large.close()
  const what = `append to a conversation of ${SMALL} / ${messages.toLocaleString('en')} messages`
  return { what, unit: 'ms', ...figures, aim: { ratio: 1.3 } }
}

async function byConversations(fixture) {
  const { conversations } = fixture.sizes
  const small = await openRecord(fixture.copyOf(await fixture.manyConversations(SMALL)))
  const large = await openRecord(fixture.copyOf(await fixture.manyConversations(conversations)))
  const writers = { small: createMessageWriter(14), large: createMessageWriter(15) }
  const random = seededRandom(10)
  const anyOf = (memory, count) => () => memory.conversation(String(Math.floor(random() * count)))
  const figures = await takeTurns({
    rounds: fixture.repeats(60),
    floor: () => timeAppends(writers.small(APPENDS), anyOf(small, SMALL)),
    ours: () => timeAppends(writers.large(APPENDS), anyOf(large, conversations)),
  })
  await small.close()
  await large.close()
  const what = `append in a file of ${SMALL} / ${conversations.toLocaleString('en')} conversations`
  return { what, unit: 'ms', ...figures, aim: { ratio: 1.3 } }
}

async function timeAppends(messages, chooseConversation) {
  const total = await timeMs(async () => {
    for (const message of messages) await chooseConversation().record(message)
  })
  return total / messages.length
}
