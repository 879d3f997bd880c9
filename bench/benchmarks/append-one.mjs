import { contestAppends } from '../append-contest.mjs'

/** In one round. */
const APPENDS = 50

export const appendOne = {
  name: 'append-one',
  about:
    'record() of one message of 60 words, durable, compared with the same rows in plain SQL, one commit each',
  async run(fixture) {
    const contest = {
      seed: 20,
      rounds: fixture.repeats(100),
      count: APPENDS,
      floor(append, rows) {
        for (const row of rows) append([row])
      },
      async ours(conversation, messages) {
        for (const message of messages) await conversation.record(message)
      },
    }
    const toRow = (what, { floor, ours, ratio }) => ({
      what,
      unit: 'ms',
      floor: floor / APPENDS,
      ours: ours / APPENDS,
      ratio,
    })
    const bare = await contestAppends(fixture, contest)
    const thinking = await contestAppends(fixture, {
      ...contest,
      seed: 21,
      rounds: fixture.repeats(50),
      isThinkingTimed: true,
    })
    return [
      { ...toRow('append one message', bare), aim: { ratio: 2 } },
      toRow('  if the floor has to count tokens and find words too', thinking),
    ]
  },
}
