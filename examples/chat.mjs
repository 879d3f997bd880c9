// Whole turns: with a model, without one, another answer, and why an answer is what it is.

import { openMemory, recollectMetadataOf } from 'recollect'
import { scriptedModel } from 'recollect/testing'

const path = process.argv[2] ?? ':memory:'
const ask = async (conversation, request) => {
  let last
  for await (const event of conversation.chat(request)) {
    if (event.type === 'recorded') console.log(`\nuser: ${event.message.content}`)
    if (event.type === 'notice') console.log(`  (${event.code}: ${event.text})`)
    if (event.type === 'text') process.stdout.write(event.text)
    last = event
  }
  console.log(`\n  [${last.ending}]`)
  return last.message
}

// Without a model, what was said is found and quoted.
const alone = await openMemory(path)
const trip = alone.conversation('trip')
await trip.record({ role: 'user', content: 'We land in Lisbon on 2 May, and Ana eats no fish.' })
await ask(trip, { message: 'What does Ana not eat?' })
await alone.close()

// With one; here it says its lines, elsewhere it is any server or model of the AI SDK.
const memory = await openMemory(path === ':memory:' ? ':memory:' : `${path}.model`, {
  languageModel: scriptedModel(['At the green market in Campo de Ourique.', 'At a tavern without fish.']),
})
const lisbon = memory.conversation('lisbon')
await ask(lisbon, { message: 'Where should we eat in Lisbon on Sunday?', budgetTokens: 2000 })
const answer = await ask(lisbon, { regenerate: true })

const { receiptId, model, replaces } = recollectMetadataOf(answer)
const receipt = await lisbon.receipts.get(receiptId)
console.log(`\nwritten by ${model} from ${receipt.tokens} tokens; it replaces message ${replaces.position}`)
const { messages } = await lisbon.context()
console.log(
  `in the next context: ${messages.length} messages of ${(await lisbon.messages.list().toArray()).length} recorded`,
)
await memory.close()
