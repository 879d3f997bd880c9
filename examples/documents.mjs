// Files beside the conversation: added, cut into chunks with their headings, and handed to a model.

import { openMemory } from 'recollect'

const HANDBOOK = `# Handbook

## Refunds

Money is paid back within 30 days of the return. Goods must be unused.

## Prices

| mill | sacks a day |
| --- | --- |
| Alda | 12 |
| Brok | 7 |
`

const memory = await openMemory(process.argv[2] ?? 'documents.db')
const { documents } = memory

const handbook = await documents.add({ name: 'handbook.md', content: HANDBOOK })
console.log(`${handbook.name}: ${handbook.chunkCount} chunk, ${handbook.tokens} tokens, ${handbook.format}`)

// The same content is not indexed twice; a new one is the next version of the same document.
const again = await documents.add({ name: 'copy.md', content: HANDBOOK })
console.log('new?', again.isNew, again.id === handbook.id)
const second = await documents.replace(handbook.id, { content: HANDBOOK.replace('30 days', '14 days') })
console.log('version', second.version)

// For one conversation only, and no longer for all.
await documents.attach(handbook.id, { conversationId: 'trip' })
await documents.detach(handbook.id)
const trip = memory.conversation('trip')
console.log(
  'trip sees',
  (await trip.documents.list()).items.map(({ name }) => name),
)

const { items: chunks } = await documents.chunks(handbook.id)
const known = chunks.map(({ headingPath, text }) => `From ${headingPath.join(' > ')}:\n${text}`)
const system = ['Answer from the handbook.', ...known].join('\n\n')
const { receipt } = await trip.context('How long do refunds take?', { budgetTokens: 800, system })
console.log(`${receipt.tokens} of ${receipt.budgetTokens} tokens`)

await documents.erase(handbook.id)
await memory.close()
