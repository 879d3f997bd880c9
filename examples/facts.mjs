// What is known about a user: added, asked for as of a date, changed, rejected, and handed to a model.

import { openMemory } from 'recollect'

const memory = await openMemory(process.argv[2] ?? 'facts.db')
const { facts, preferences, notes } = memory

await facts.add({ attribute: 'home', value: 'Porto', validFrom: '2024-01-01' })
const lisbon = await facts.add({ attribute: 'home', value: 'Lisbon', validFrom: '2026-03-01' })
await facts.add({ attribute: 'diet', value: 'vegetarian', kind: 'preference' })

console.log(
  'now     ',
  (await facts.list()).items.map(({ attribute, value }) => `${attribute}: ${value}`),
)
console.log(
  'in 2025 ',
  (await facts.list({ asOf: '2025-06-01' })).items.map(({ value }) => value),
)

await facts.update(lisbon.id, { value: 'Lisbon, Alfama' })
await facts.pin(lisbon.id)
for (const { type, before } of (await facts.get(lisbon.id)).history)
  console.log('        ', type, before?.value ?? '')

const rejected = await facts.add({ attribute: 'likes', value: 'loud music' })
await facts.delete(rejected.id)

await preferences.update('units', 'metric')
await notes.add({
  text: 'Taberna da Rua closes on Mondays.',
  source: { tool: 'web-search', url: 'https://example.org/taberna' },
})

const known = (await facts.list()).items.map(
  ({ subject, attribute, value }) => `${subject}, ${attribute}: ${value}`,
)
const found = (await notes.list()).items.map(({ text }) => text)
const system = ['You help with plans for the evening.', 'Known:', ...known, ...found].join('\n')

const trip = memory.conversation('trip')
const { messages, receipt } = await trip.context('Where should we eat?', { budgetTokens: 800, system })
console.log(messages[0].content)
console.log(`${receipt.tokens} of ${receipt.budgetTokens} tokens`)
await memory.close()
