// Adds, replaces and erases documents until it is killed, and prints what was acknowledged.

import { openMemory } from '../../dist/index.js'

const memory = await openMemory(process.env.FILE)
const { documents } = memory
const text = (word, parts) =>
  Array.from(
    { length: parts },
    (_, i) => `## ${word} ${i}\n\n${`The ${word} of part ${i} turns. `.repeat(40)}`,
  ).join('\n\n')

for (let i = Number(process.env.FROM); ; i++) {
  const id = `d${i}`
  console.log(`begun ${id}`)
  await documents.add({ name: `${id}.md`, content: text(`old${i}`, 40), id, conversationId: 'trip' })
  console.log(`added ${id} 1`)
  if (i % 2 === 0) {
    await documents.replace(id, { content: text(`new${i}`, 60) })
    console.log(`added ${id} 2`)
  }
  if (i % 5 === 0) {
    console.log(`going ${id}`)
    await documents.erase(id)
    console.log(`erased ${id}`)
  }
}
