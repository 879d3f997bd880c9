// A memory in your own store: this one keeps everything in the memory of the process. The conformance suite checks
// that it keeps the promises that Recollect relies on.

import { openMemory } from 'recollect'
import { runStoreConformance } from 'recollect/store/conformance'
import { openInMemoryStore } from './in-memory-store/store.mjs'

const results = await runStoreConformance(async () => openInMemoryStore())
const count = (outcome) => results.filter((result) => result.outcome === outcome).length
console.log(`${count('passed')} cases passed, ${count('failed')} failed, ${count('skipped')} skipped:`)
for (const reason of new Set(results.flatMap((result) => result.reason ?? []))) console.log(`  ${reason}`)

const memory = await openMemory({ store: openInMemoryStore() })
const trip = memory.conversation('trip')
await trip.record({ role: 'user', content: 'I am vegetarian, and we are in Lisbon in May.' })
const { messages, receipt } = await trip.context('Where should we eat?', { budgetTokens: 800 })
console.log(messages)
console.log(`${receipt.tokens} of ${receipt.budgetTokens} tokens`)
await memory.close()
