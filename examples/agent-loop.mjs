// An agent with a tool, kept within a small budget over many turns. `answer` stands for the call of a model:
// replace it by openai.chat.completions.create({ model, messages: toOpenAi(messages), tools }).

import { openMemory, toOpenAi } from 'recollect'

const tools = [
  { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
]
const system = 'You are a travel assistant.'
const memory = await openMemory(process.argv[2] ?? ':memory:')
const chat = memory.conversation('agent')

for (let day = 1; day <= 20; day++) {
  await chat.record({ role: 'user', content: `What is the weather on day ${day} of our trip?` })
  for (let isDone = false; !isDone; ) {
    const { messages, receipt } = await chat.context({ system, tools, budgetTokens: 600 })
    const reply = answer(toOpenAi(messages))
    await chat.record(reply)
    isDone = typeof reply.content === 'string'
    const { toolCallId } = isDone ? {} : reply.content[0]
    if (toolCallId)
      await chat.record({ role: 'tool', content: [{ type: 'tool-result', toolCallId, output: 'sunny' }] })
    else
      console.log(`day ${day}: ${receipt.tokens} tokens, ${receipt.sharedPrefix.tokens} of them as last time`)
  }
}
await memory.close()

function answer(messages) {
  if (messages.at(-1).role === 'tool') return { role: 'assistant', content: 'It will be sunny.' }
  return {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: `call-${messages.length}`, toolName: 'weather', input: {} }],
  }
}
