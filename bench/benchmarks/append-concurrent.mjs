import { openRecord } from '../fixture.mjs'
import { createMessageWriter } from '../made-up-text.mjs'
import { takeTurns, timeMs } from '../measure.mjs'

const CALLS = 1000

export const appendConcurrent = {
  name: 'append-concurrent',
  about: '1,000 record() calls at once against 1,000 one after the other: calls made together share a commit',
  async run(fixture) {
    const memory = await openRecord(fixture.copyOf(await fixture.longConversation(10)))
    const conversation = memory.conversation('long')
    const write = createMessageWriter(11)
    const perSecond = (time) => CALLS / (time / 1000)
    const { floor, ours } = await takeTurns({
      rounds: fixture.repeats(15),
      async floor() {
        const messages = write(CALLS)
        const oneByOne = async () => {
          for (const message of messages) await conversation.record(message)
        }
        return perSecond(await timeMs(oneByOne))
      },
      async ours() {
        const messages = write(CALLS)
        return perSecond(
          await timeMs(() => Promise.all(messages.map((message) => conversation.record(message)))),
        )
      },
    })
    await memory.close()
    const what = '1,000 appends one after the other / at once'
    return [{ what, unit: 'messages/s', floor, ours, ratio: ours / floor }]
  },
}
