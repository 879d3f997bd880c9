// One of several processes that use the same file. It reads jobs from stdin, one per line, and answers each with a
// line. Any error ends it.

import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openMemory } from '../../dist/index.js'
import { chatter, seededRandom } from './chatter.mjs'

const say = (word, answer) => writeSync(1, `${word} ${JSON.stringify(answer)}\n`)

/** Only a busy wait lets all of them start in the same millisecond. */
function waitUntil(moment) {
  while (Date.now() < moment);
}

/** `count` messages: some alone, some in batches, some by calls that do not wait for each other. */
async function append(conversation, { name, count, seed }) {
  const random = seededRandom(seed)
  const { one, many } = chatter(name, random)
  const calls = []
  for (let left = count, size; left > 0; left -= size) {
    size = Math.min(left, random.between(1, 5))
    calls.push(size === 1 ? one() : many(size))
  }
  while (calls.length > 0) {
    await Promise.all(calls.splice(0, random.between(1, 3)).map((given) => conversation.record(given)))
  }
  return count
}

/** Writes what the other processes write as well: one message by id, then two by key. */
async function repeat(conversation, { count }) {
  const answers = []
  for (let i = 0; i < count; i++) {
    const one = await conversation.record({ id: `same-${i}`, role: 'user', content: `once ${i}` })
    const words = ['question', 'answer'].map((content) => ({ role: 'user', content: `${content} ${i}` }))
    answers.push(one, ...(await conversation.record(words, { key: `key-${i}` })))
  }
  return answers.map(({ id, position }) => [id, position])
}

const JOBS = { append, repeat }

async function work({ path, moment, job, ...details }) {
  waitUntil(moment)
  const memory = await openMemory(path)
  const answer = await JOBS[job](memory.conversation('shared'), details)
  await memory.close()
  return answer
}

const memory = await openMemory(':memory:')
await append(memory.conversation('any'), { name: 'warm', count: 1, seed: 1 })
say('ready')
for await (const line of createInterface({ input: process.stdin })) say('done', await work(JSON.parse(line)))
