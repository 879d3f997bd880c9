import { resolve } from 'node:path'
import type { Command } from 'commander'
import { checkValidity, type NewMessage, openMemory } from '../../index.ts'
import { bold, dim, formatBytes, green, print, printJson } from '../terminal.ts'
import { newCommand } from '../with-memory.ts'
import { printContext } from './context.ts'

const FILE = 'recollect-demo.db'
const QUESTION = 'And where could we have dinner near the hotel?'

/** Fixed ids, so that a second run records nothing twice. */
const SAMPLE: readonly NewMessage[] = [
  { id: 'demo-1', role: 'system', content: 'You are a travel assistant. Answer in one or two sentences.' },
  {
    id: 'demo-2',
    role: 'user',
    name: 'Ana',
    content: 'We are in Lisbon from 4 to 9 May, two vegetarians. How is the weather then?',
  },
  {
    id: 'demo-3',
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look at the climate and at hotels with it.' },
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'climate', input: { city: 'Lisbon', month: 5 } },
      {
        type: 'tool-call',
        toolCallId: 'call-2',
        toolName: 'find_hotels',
        input: { city: 'Lisbon', nights: 5 },
      },
    ],
  },
  {
    id: 'demo-4',
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call-1', output: { high: 22, low: 14, rainDays: 6 } }],
  },
  {
    id: 'demo-5',
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call-2', output: [{ name: 'Casa da Graça', price: 118 }] }],
  },
  {
    id: 'demo-6',
    role: 'assistant',
    content: 'Around 22 °C by day with a little rain. Casa da Graça has rooms for 118 € a night.',
  },
  { id: 'demo-7', role: 'user', name: 'Ana', content: 'Book it please. We prefer a quiet room.' },
  {
    id: 'demo-8',
    role: 'assistant',
    content: 'Booked: Casa da Graça, 4 to 9 May, a quiet room to the courtyard.',
  },
]

export function demoCommand(): Command {
  return newCommand(
    'demo',
    'Record a sample conversation and show the context a model would receive.',
  ).action(async (_flags: object, command: Command) => {
    const { json } = command.optsWithGlobals<{ json?: boolean }>()
    const memory = await openMemory(FILE)
    try {
      const trip = memory.conversation('demo')
      const before = (await trip.get())?.messageCount ?? 0
      await trip.record(SAMPLE)
      const context = await trip.context(QUESTION, { budgetTokens: 400 })
      const { storageBytes } = await memory.statistics()
      const problems = checkValidity(context.messages)
      if (json) {
        const { receiptSaved, ...shown } = context
        return printJson({ file: resolve(FILE), ...shown, isReceiptKept: await receiptSaved, problems })
      }
      const recorded =
        before === 0 ? `Recorded ${SAMPLE.length} messages` : `Found ${before} messages from an earlier run`
      print(`${bold(recorded)} in the conversation "${(await trip.get())?.title}".`, '')
      print(bold(`For the question "${QUESTION}" and a budget of 400 tokens, a model would receive:`), '')
      printContext(context)
      print('', `${green('✓')} valid for OpenAI, Anthropic and Gemini: ${problems.length} problems`)
      print(`${green('✓')} stored in ${resolve(FILE)} (${formatBytes(storageBytes)})`, '')
      print(dim(`Next:  npx recollect --db ${FILE} show demo   ·   npx recollect --help`))
    } finally {
      await memory.close()
    }
  })
}
