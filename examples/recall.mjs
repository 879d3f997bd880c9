// What is known about a question: found in other words, by who and when, leaning on the turn before, within a budget.

import { openMemory } from 'recollect'

const memory = await openMemory(process.argv[2] ?? ':memory:')
const home = memory.conversation('home')
await home.record([
  { role: 'user', name: 'Ana', content: 'Always answer in metric units.', createdAt: '2026-04-01T09:00:00Z' },
  { role: 'user', name: 'Ana', content: 'We painted the fence green.', createdAt: '2026-04-18T10:00:00Z' },
  {
    role: 'user',
    name: 'Joao',
    content: 'I bought a telescope for 300 euros.',
    createdAt: '2026-05-12T20:00:00Z',
  },
  { role: 'assistant', content: 'Where will you put it?', createdAt: '2026-05-12T20:01:00Z' },
  { role: 'user', name: 'Joao', content: 'On the balcony, facing south.', createdAt: '2026-05-12T20:02:00Z' },
])
await memory
  .conversation('garden')
  .record({ role: 'user', content: 'The garden fence needs paint every two years.' })

const show = ({ question, items, notices }) => {
  console.log(`\n${question.asked}${question.standalone ? `  (searched as: ${question.standalone})` : ''}`)
  for (const { score, kind, text, why } of items)
    console.log(
      `  ${score.toFixed(2)} ${kind}: ${text}  <- ${why
        .slice(0, 2)
        .map((reason) => reason.text)
        .join('; ')}`,
    )
  for (const notice of notices) console.log(`  note: ${notice}`)
}

// Another form of the word, in every conversation; then in one, and only what was said in April.
show(await memory.recall('What did we paint?'))
show(
  await memory.recall('What did we paint?', { conversationId: 'home', from: '2026-04-01', to: '2026-05-01' }),
)

// By who said it; the answer has none of the words.
show(await memory.recall('Where will Joao put his telescope?', { limit: 2 }))

// A follow-up takes the words in play along.
show(
  await memory.recall('and how much was it?', {
    currentConversationId: 'home',
    kinds: ['message'],
    limit: 2,
  }),
)

// As much as a budget holds.
const { items, leftOut } = await memory.recall('fence and telescope', { budgetTokens: 25 })
const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
console.log(
  `\n${items.length} items of ${tokens} tokens; left out: ${leftOut.map(({ reason }) => reason).join(', ') || 'nothing'}`,
)
await memory.close()
