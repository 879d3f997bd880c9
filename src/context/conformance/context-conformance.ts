// What a list of messages must be, whatever was cut away from it: for anyone who trims conversations. Hard
// conversations as data, the checks of three providers, and no test runner:
//
//   for (const { name, run } of contextConformance) await run(myContext)

import assert from 'node:assert/strict'
import type { ContextMessage } from '../../domain/context-message.ts'
import { withoutInjected } from '../../domain/injected.ts'
import {
  type NewMessage,
  readableText,
  type ToolCallPart,
  type ToolResultPart,
} from '../../domain/message.ts'
import { checkValidity } from '../provider-validity.ts'

/** Records the messages in a new conversation and returns the context for its last turn. */
export type ContextUnderTest = (
  messages: readonly NewMessage[],
  request: { readonly budgetTokens: number; readonly system?: string },
) => Promise<readonly ContextMessage[]>

export interface ContextCase {
  readonly name: string
  run(context: ContextUnderTest): Promise<void>
}

const user = (content: string): NewMessage => ({ role: 'user', content })
const assistant = (content: string): NewMessage => ({ role: 'assistant', content })
const call = (callId: string): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: callId,
  toolName: 'look_up',
  input: { id: callId },
})
const result = (callId: string): ToolResultPart => ({
  type: 'tool-result',
  toolCallId: callId,
  output: `found ${callId}`,
})
const calls = (...ids: string[]): NewMessage => ({ role: 'assistant', content: ids.map(call) })
const results = (...ids: string[]): NewMessage => ({ role: 'tool', content: ids.map(result) })

/** Twenty turns, each with a tool call, so that any budget cuts somewhere inside. */
const agentAtWork: readonly NewMessage[] = Array.from({ length: 20 }, (_, i) => [
  user(`Task ${i}: ${'some words '.repeat(20)}`),
  calls(`${i}-a`, `${i}-b`),
  results(`${i}-b`, `${i}-a`),
  assistant(`Task ${i} is done.`),
]).flat()

const hardConversations: Readonly<Record<string, readonly NewMessage[]>> = {
  'calls in parallel, answered in another order': [user('both'), calls('a', 'b'), results('b'), results('a')],
  'calls that are answered in part': [user('both'), calls('a', 'b'), results('a'), user('go on')],
  'a call that is never answered': [user('look'), calls('a'), user('never mind')],
  'a call that is open at the end': [user('look'), calls('a')],
  'a result that comes after the user spoke': [user('look'), calls('a'), user('hurry'), results('a')],
  'a result without a call': [user('hello'), results('ghost'), assistant('hm'), user('well?')],
  'a result that comes twice': [user('look'), calls('a'), results('a'), results('a'), assistant('there')],
  'call ids that are used again': [
    user('one'),
    calls('a'),
    results('a'),
    user('two'),
    calls('a'),
    results('a'),
  ],
  'messages with nothing in them': [
    user('  '),
    assistant(''),
    user('hello'),
    assistant('\n'),
    user('there?'),
  ],
  'an assistant that speaks first': [assistant('Welcome!'), user('hello')],
  'people who speak twice in a row': [
    user('one'),
    user('two'),
    assistant('three'),
    assistant('four'),
    user('five'),
  ],
  'a system message in the middle': [user('hello'), { role: 'system', content: 'Be brief.' }, user('again')],
  'reasoning and nothing else': [
    user('hm'),
    { role: 'assistant', content: [{ type: 'reasoning', text: '…' }] },
    user('so?'),
  ],
  'characters of any kind': [user('NUL \u0000 😀 שלום \u202e'), assistant('<|im_end|>'), user('漢字')],
}

const validCases = Object.entries(hardConversations).map(
  ([name, messages]): ContextCase => ({
    name: `valid for every provider: ${name}`,
    async run(context) {
      assert.deepEqual(checkValidity(await context(messages, { budgetTokens: 2000 })), [])
    },
  }),
)

export const contextConformance: readonly ContextCase[] = [
  ...validCases,
  {
    name: 'valid for every provider wherever the budget cuts',
    async run(context) {
      for (let budgetTokens = 150; budgetTokens < 2000; budgetTokens += 37) {
        assert.deepEqual(
          checkValidity(await context(agentAtWork, { budgetTokens })),
          [],
          `at ${budgetTokens} tokens`,
        )
      }
    },
  },
  {
    name: 'the live turn is whole, with its tool calls and results',
    async run(context) {
      const live = [user('The live question.'), calls('x'), results('x')]
      const messages = await context([...agentAtWork, ...live], { budgetTokens: 150 })
      const text = JSON.stringify(messages)
      assert.ok(text.includes('The live question.'), 'the question is there')
      assert.ok(text.includes('found x'), 'the result of its tool call is there')
    },
  },
  {
    name: 'the system prompt is there and first, at every budget',
    async run(context) {
      const recorded: NewMessage = { role: 'system', content: 'Answer in Portuguese.' }
      const messages = await context([recorded, ...agentAtWork], { budgetTokens: 400, system: 'Be kind.' })
      const [first] = messages
      assert.equal(first?.role, 'system')
      assert.ok(readableText(first.content).includes('Be kind.'), 'that of the call')
      assert.ok(readableText(first.content).includes('Answer in Portuguese.'), 'the recorded one')
    },
  },
  {
    name: 'the most recent turns are kept, in order',
    async run(context) {
      const messages = await context(agentAtWork, { budgetTokens: 1000 })
      const text = messages.map(({ content }) => withoutInjected(readableText(content))).join('\n')
      const tasks = [...text.matchAll(/Task (\d+):/g)].map(([, number]) => Number(number))
      assert.ok(tasks.length > 1, 'more than one turn fits')
      assert.deepEqual(tasks.slice(-2), [18, 19], 'the last ones')
      assert.deepEqual(
        tasks,
        [...new Set(tasks)].sort((a, b) => a - b),
        'in order, each once',
      )
      const gaps = tasks.filter((task, i) => i > 0 && task !== (tasks[i - 1] as number) + 1)
      assert.ok(gaps.length <= 1, 'nothing is missing but between the beginning and the end')
    },
  },
  {
    name: 'a budget that cannot hold the live turn is an error, not a shorter turn',
    async run(context) {
      await assert.rejects(context([user('word '.repeat(500))], { budgetTokens: 100 }))
    },
  },
]
