// The first memory: record, hand over, look again. Run it twice: the second time, it remembers the first.

import { openMemory } from 'recollect'

const memory = await openMemory(process.argv[2] ?? 'example.db')
const trip = memory.conversation('trip')
await trip.record({ role: 'user', content: 'I am vegetarian, and we are in Lisbon in May.' })
const { messages, receipt } = await trip.context('Where should we eat?', { budgetTokens: 800 })

console.log(messages)
console.log(`${receipt.tokens} of ${receipt.budgetTokens} tokens`)
await memory.close()
