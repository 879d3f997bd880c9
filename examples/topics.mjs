// What Recollect works out by itself: topics that come back, facts, and what a talk was about.

import { openMemory } from 'recollect'

const memory = await openMemory(':memory:')
const chat = memory.conversation('chat')

const said = [
  ['user', 'I need a hotel in Lisbon for two nights in May, close to the river. I am vegetarian.'],
  ['assistant', 'The Tejo Palace has a double room with a view of the river for 120 euros a night.'],
  ['user', 'Can you explain how the tax return for freelancers works in Portugal?'],
  ['assistant', 'Freelancers file the tax return between April and June.'],
  ['user', 'About the hotel in Lisbon: is the double room with the river view still free in May?'],
]
for (const [role, content] of said) await chat.record({ role, content })

for (const { title, state, totalMessages } of await chat.topics()) {
  console.log(`${state}: ${title} (${totalMessages} messages)`)
}
for (const { subject, attribute, value } of await memory.facts.list()) {
  console.log(`fact: ${subject}, ${attribute}: ${value}`)
}
for (const { name, type } of await memory.entities()) console.log(`${type}: ${name}`)
const { text, tokens } = await chat.summary()
console.log(`in ${tokens} tokens: ${text}`)
await memory.close()
