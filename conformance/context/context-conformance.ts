// Rules for any code that trims conversations: whatever it cuts away, the remaining messages must be valid. Hard
// conversations as data, checked against the rules of three providers, without a test runner:
//
//   for (const { name, run } of contextConformance) await run(myContext)

import assert from 'node:assert/strict'
import {
  type ContextMessage,
  checkValidity,
  type NewMessage,
  readableText,
  type ToolCallPart,
  type ToolResultPart,
  withoutInjected,
} from 'recollect'

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

/** A step of an agent whose model thinks: signed reasoning for Anthropic, a signed call for Gemini. */
const thoughtfulCalls = (...ids: string[]): NewMessage => ({
  role: 'assistant',
  content: [
    {
      type: 'reasoning',
      text: `thinking about ${ids[0]}`,
      providerMetadata: { anthropic: { signature: `thinking-${ids[0]}` } },
    },
    ...ids.map((id, i) =>
      i === 0
        ? { ...call(id), providerMetadata: { google: { thoughtSignature: `thought-${id}` } } }
        : call(id),
    ),
  ],
})

/** Finished turns, then a tool loop of three steps with parallel calls. */
const thoughtfulAgent: readonly NewMessage[] = [
  ...Array.from({ length: 10 }, (_, i) => [
    user(`Task ${i}: ${'some words '.repeat(20)}`),
    thoughtfulCalls(`${i}-a`, `${i}-b`),
    results(`${i}-b`, `${i}-a`),
    assistant(`Task ${i} is done.`),
  ]).flat(),
  user('The live question.'),
  ...['x', 'y', 'z'].flatMap((id) => [thoughtfulCalls(`${id}-1`, `${id}-2`), results(`${id}-2`, `${id}-1`)]),
]

const hardConversations: Readonly<Record<string, readonly NewMessage[]>> = {
  'parallel calls, answered in another order': [user('both'), calls('a', 'b'), results('b'), results('a')],
  'calls that are answered only in part': [user('both'), calls('a', 'b'), results('a'), user('go on')],
  'a call that is never answered': [user('look'), calls('a'), user('never mind')],
  'a call that is open at the end': [user('look'), calls('a')],
  'a result that comes after the user spoke': [user('look'), calls('a'), user('hurry'), results('a')],
  'a result without a call': [user('hello'), results('ghost'), assistant('hm'), user('well?')],
  'a result that comes twice': [user('look'), calls('a'), results('a'), results('a'), assistant('there')],
  'reused call ids': [user('one'), calls('a'), results('a'), user('two'), calls('a'), results('a')],
  'empty messages': [user('  '), assistant(''), user('hello'), assistant('\n'), user('there?')],
  'an assistant that speaks first': [assistant('Welcome!'), user('hello')],
  'consecutive messages of one role': [
    user('one'),
    user('two'),
    assistant('three'),
    assistant('four'),
    user('five'),
  ],
  'a system message in the middle': [user('hello'), { role: 'system', content: 'Be brief.' }, user('again')],
  'a message with only reasoning': [
    user('hm'),
    { role: 'assistant', content: [{ type: 'reasoning', text: '…' }] },
    user('so?'),
  ],
  'unusual characters': [user('NUL \u0000 😀 שלום \u202e'), assistant('<|im_end|>'), user('漢字')],
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
    name: 'the live turn is complete, with its tool calls and results',
    async run(context) {
      const live = [user('The live question.'), calls('x'), results('x')]
      const messages = await context([...agentAtWork, ...live], { budgetTokens: 150 })
      const text = JSON.stringify(messages)
      assert.ok(text.includes('The live question.'), 'the question is there')
      assert.ok(text.includes('found x'), 'the result of its tool call is there')
    },
  },
  {
    name: 'valid for reasoning models: signed reasoning and signed calls of the open tool loop are sent unchanged',
    async run(context) {
      const loop = thoughtfulAgent.slice(41).filter(({ role }) => role === 'assistant')
      for (let budgetTokens = 500; budgetTokens < 3000; budgetTokens += 313) {
        const messages = await context(thoughtfulAgent, { budgetTokens })
        assert.deepEqual(checkValidity(messages, { thinking: true }), [], `at ${budgetTokens} tokens`)
        const sent = messages.filter(({ role }) => role === 'assistant').slice(-loop.length)
        assert.deepEqual(
          sent.map(({ content }) => content),
          loop.map(({ content }) => content),
        )
      }
    },
  },
  {
    name: 'the system prompt comes first at every budget',
    async run(context) {
      const recorded: NewMessage = { role: 'system', content: 'Answer in Portuguese.' }
      const messages = await context([recorded, ...agentAtWork], { budgetTokens: 400, system: 'Be kind.' })
      const [first] = messages
      assert.equal(first?.role, 'system')
      assert.ok(readableText(first.content).includes('Be kind.'), 'the prompt of the call')
      assert.ok(readableText(first.content).includes('Answer in Portuguese.'), 'the recorded prompt')
    },
  },
  {
    name: 'the most recent turns are kept, in order',
    async run(context) {
      const messages = await context(agentAtWork, { budgetTokens: 1000 })
      const text = messages.map(({ content }) => withoutInjected(readableText(content))).join('\n')
      const tasks = [...text.matchAll(/Task (\d+):/g)].map(([, number]) => Number(number))
      assert.ok(tasks.length > 1, 'more than one turn fits')
      assert.deepEqual(tasks.slice(-2), [18, 19], 'the last turns')
      assert.deepEqual(
        tasks,
        [...new Set(tasks)].sort((a, b) => a - b),
        'in order, each once',
      )
      const gaps = tasks.filter((task, i) => i > 0 && task !== (tasks[i - 1] as number) + 1)
      assert.ok(gaps.length <= 1, 'messages are missing only between the beginning and the end')
    },
  },
  {
    name: 'a budget that cannot hold the live turn is an error, not a shorter turn',
    async run(context) {
      await assert.rejects(context([user('word '.repeat(500))], { budgetTokens: 100 }))
    },
  },
]
