import { openBare, prepareReadLast } from '../bare-sqlite.mjs'
import { openRecord } from '../fixture.mjs'
import { takeTurns, timeMs } from '../measure.mjs'

const LIMIT = 20
/** In one round. */
const READS = 100

export const readLast = {
  name: 'read-last',
  about: 'messages() for the last 20 of a long conversation, against one prepared statement and JSON.parse',
  async run(fixture) {
    const path = await fixture.longConversation(fixture.sizes.messages)
    const memory = await openRecord(path)
    const conversation = memory.conversation('long')
    const database = await openBare(path)
    const readRows = prepareReadLast(database)
    const { floor, ours, ratio } = await takeTurns({
      rounds: fixture.repeats(100),
      floor: () =>
        timeMs(() => {
          for (let i = 0; i < READS; i++) readRows(1, LIMIT)
        }),
      ours: () =>
        timeMs(async () => {
          for (let i = 0; i < READS; i++)
            await conversation.messages.list({ limit: LIMIT, direction: 'backwards' })
        }),
    })
    database.close()
    await memory.close()
    const what = `read the last ${LIMIT} messages`
    return [{ what, unit: 'ms', floor: floor / READS, ours: ours / READS, ratio, aim: { ratio: 2 } }]
  },
}
