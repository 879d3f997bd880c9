// Records, derives, edits topics and summarizes, and kills itself after a given number of write calls to the store.
// Prints what was acknowledged before that.

import { writeSync } from 'node:fs'
import { createDeriver } from '../../dist/derive/create-deriver.js'
import { createMemory } from '../../dist/memory/memory.js'
import { builtInEmbedder } from '../../dist/model/built-in/built-in-embedder.js'
import { loadTokenizer } from '../../dist/model/built-in/load-tokenizer.js'
import { connectModels } from '../../dist/model/connect-models.js'
import { scriptedEmbedder, scriptedModel } from '../../dist/model/scripted/testing.js'
import { resolveConfig } from '../../dist/options/resolve-options.js'
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js'
import { STEPS_TALK } from './steps-talk.mjs'

const WRITES = new Set(
  `append commitDerivation dropDerivation addJobs claimJob finishJob failJob releaseJob saveEdit compress
   changeConversation`.split(/\s+/),
)

const [path, steps] = [process.argv[2], Number(process.argv[3])]
const say = (...words) => writeSync(1, `${words.join(' ')}\n`)

let written = 0
function dyingStore(store) {
  const wrap = ([name, verb]) => {
    if (!WRITES.has(name)) return [name, verb]
    return [
      name,
      async (...given) => {
        const result = await verb(...given)
        written += 1
        if (written === steps) process.kill(process.pid, 'SIGKILL')
        return result
      },
    ]
  }
  return Object.fromEntries(Object.entries(store).map(wrap))
}

const options = resolveConfig()
const store = dyingStore(await openSqliteStore({ path, durability: 'full', busyTimeoutMs: 5000 }))
const answer = JSON.stringify({ summary: 'They talk about a trip.', keyTopics: ['trip'], facts: [] })
const models = connectModels(options.models, {
  languageModel: scriptedModel([answer]),
  embedder: scriptedEmbedder(),
})
const tokenizer = await loadTokenizer('o200k')
const parts = { store, options, models, loadTokenizer: async () => tokenizer, now: () => new Date() }
const deriver = createDeriver({ ...parts, embedder: builtInEmbedder })
const memory = createMemory({ ...parts, deriver, whenIdle: () => deriver.stop() })
const chat = memory.conversation('chat')

for (const [index, message] of STEPS_TALK.entries()) {
  const { id } = await chat.record(message)
  say('kept', id)
  if (index === 5) {
    await chat.topics.update('m0', { title: 'The trip' })
    say('renamed', 'm0')
  }
}
await memory.whenDerived()
await memory.close()
say('done', written)
