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

for await (const { title, state, totalMessages } of chat.topics.list()) {
  console.log(`${state}: ${title} (${totalMessages} messages)`)
}
for await (const { subject, attribute, value } of memory.facts.list()) {
  console.log(`fact: ${subject}, ${attribute}: ${value}`)
}
for await (const { name, type } of memory.entities.list()) console.log(`${type}: ${name}`)
const { text, tokens } = await chat.summary()
console.log(`in ${tokens} tokens: ${text}`)
await memory.close()
