import { contestAppends } from '../append-contest.mjs'

export const appendBatch = {
  name: 'append-batch',
  about: 'record() of 1,000 messages in one call, against the same rows by bare SQL in one commit',
  async run(fixture) {
    const contest = {
      seed: 22,
      rounds: fixture.repeats(20),
      count: 1000,
      floor: (append, rows) => append(rows),
      ours: (conversation, messages) => conversation.record(messages),
    }
    const bare = await contestAppends(fixture, contest)
    const thinking = await contestAppends(fixture, { ...contest, seed: 23, isThinkingTimed: true })
    return [
      { what: 'append 1,000 messages in one call', unit: 'ms', ...bare, aim: { ratio: 1.5 } },
      { what: '  if the floor has to count tokens and find words too', unit: 'ms', ...thinking },
    ]
  },
}
