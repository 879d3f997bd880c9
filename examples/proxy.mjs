// A client of OpenAI's chat completions gets a memory by changing its base address. The server behind is a scripted one
// here; elsewhere it is Ollama, vLLM, OpenAI …

import { openMemory } from 'recollect'
import { startServer } from 'recollect/server'
import { startScriptedServer } from 'recollect/testing'

const upstream = await startScriptedServer()
const memory = await openMemory(process.argv[2] ?? ':memory:')
const server = await startServer(memory, { port: 0, upstreamUrl: `${upstream.url}/v1` })

/** As any client does it: the whole transcript every time. */
async function complete(messages, headers = {}) {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer theirs', ...headers },
    body: JSON.stringify({ model: 'any', messages }),
  })
  const { choices } = await response.json()
  console.log(`\nmemory: ${response.headers.get('x-recollect-memory')}`)
  return choices[0].message
}

upstream.next({ text: 'Noted: no fish for Ana.' })
await complete([{ role: 'user', content: 'My sister Ana eats no fish.' }])

// Another chat, days later: the model gets what was said in the first.
upstream.next({ text: 'A stew of beans.' })
const messages = [{ role: 'user', content: 'What can I cook for my sister Ana?' }]
messages.push(await complete(messages, { 'x-recollect-conversation': 'dinner' }))
console.log(`sent on:\n${upstream.requests.at(-1).body.messages[0].content}`)

// The transcript is sent again, and recorded once.
upstream.next({ text: 'Forty minutes.' })
messages.push({ role: 'user', content: 'How long does the stew of beans take?' })
await complete(messages, { 'x-recollect-conversation': 'dinner' })

await server.close()
const recorded = await memory.conversation('dinner').messages.list().toArray()
console.log(`\nrecorded: ${recorded.map(({ role }) => role).join(', ')}`)
await memory.close()
await upstream.close()
