// Opens a memory and prints after each step whether the modules for deriving are loaded: `path when step…`.

import { Session } from 'node:inspector'

const RULES =
  /\/dist\/derive\/(?:derive|topics\/match-topic|facts\/extract-facts|facts\/fold-facts|entities\/find-mentions|summaries\/extract-summary)\.js$/

let loaded = 0
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) => {
  if (RULES.test(params.url)) loaded += 1
})
session.post('Debugger.enable')

const [path, when, ...steps] = process.argv.slice(2)
const { openMemory } = await import('../../dist/index.js')
const memory = await openMemory(path, { derive: { when } })
const chat = memory.conversation('chat')
const does = {
  open: async () => undefined,
  record: () => chat.record({ role: 'user', content: 'I am vegetarian.' }),
  search: () => memory.messages.search('vegetarian'),
  context: () => chat.context('What do I eat?'),
  wait: () => memory.whenDerived(),
  facts: () => memory.facts.list(),
}
const told = {}
for (const step of steps) {
  await does[step]()
  told[step] = loaded > 0
}
await memory.close()
console.log(JSON.stringify(told))
