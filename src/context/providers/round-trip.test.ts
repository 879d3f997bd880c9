// An answer that is recorded and sent again in its tool loop: the provider must get back exactly what it gave.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversation, countCharacters, toMessages } from '../../../test/support/conversation.arbitrary.ts'
import { materialOf, tryBuild } from '../../../test/support/situation.arbitrary.ts'
import type { ContextMessage, Message, Part } from '../../domain/message.ts'
import { countMessageTokens, PER_REQUEST } from '../../domain/tokens.ts'
import type { NewMessage } from '../../schemas/message.ts'
import { checkValidity, type Provider } from '../provider-validity.ts'
import { fromAnthropic, toAnthropic } from './anthropic.ts'
import { fromGemini, toGemini } from './gemini.ts'
import { fromOpenAi, toOpenAi } from './openai.ts'

const word = fc.constantFrom('tea', 'Lisbon', '漢字', 'a longer thought about trains', 'line\nbreak')
const signature = fc.base64String({ minLength: 4, maxLength: 80 })
const input = fc.record({ city: word, days: fc.integer() })
const isResultFirst = fc.boolean()

interface Step<Answer> {
  readonly answer: Answer
  readonly isResultFirst: boolean
}

/** The steps of one tool loop. Ids and names are numbered here, so that they are unique. */
function loopOf<Answer>(
  step: (index: number) => fc.Arbitrary<Answer>,
): fc.Arbitrary<readonly Step<Answer>[]> {
  return fc
    .integer({ min: 1, max: 4 })
    .chain((length) =>
      fc.tuple(...Array.from({ length }, (_, index) => fc.record({ answer: step(index), isResultFirst }))),
    )
}

const callCount = fc.integer({ min: 1, max: 3 })

const anthropicStep = (index: number) => {
  const thinking = fc.oneof(
    fc.record({ type: fc.constant('thinking'), thinking: fc.oneof(word, fc.constant('')), signature }),
    fc.record({ type: fc.constant('redacted_thinking'), data: signature }),
  )
  const text = fc.record({ type: fc.constant('text'), text: word })
  // A turn begins with thinking. Later steps have it only if the model thinks between calls.
  const thoughts = fc.array(thinking, { minLength: index === 0 ? 1 : 0, maxLength: 2 })
  const calls = fc.tuple(callCount, input, fc.boolean()).map(([count, value, hasCaller]) =>
    Array.from({ length: count }, (_, i) => ({
      type: 'tool_use',
      id: `toolu_${index}_${i}`,
      name: 'look_up',
      input: value,
      ...(hasCaller && { caller: { type: 'direct' } }),
    })),
  )
  return fc
    .tuple(thoughts, fc.array(text, { maxLength: 1 }), calls)
    .map((blocks) => ({ role: 'assistant', content: blocks.flat() }))
}

const geminiStep = (index: number) => {
  const maybeSigned = fc.option(
    signature.map((thoughtSignature) => ({ thoughtSignature })),
    { nil: {} },
  )
  const thought = fc.tuple(word, maybeSigned).map(([text, signed]) => ({ text, thought: true, ...signed }))
  const text = fc.oneof(
    fc.tuple(word, maybeSigned).map(([said, signed]) => ({ text: said, ...signed })),
    signature.map((thoughtSignature) => ({ text: '', thoughtSignature })),
  )
  const calls = fc.tuple(callCount, input, signature, fc.boolean()).map(([count, args, first, hasIds]) =>
    Array.from({ length: count }, (_, i) => ({
      functionCall: { ...(hasIds && { id: `fc_${index}_${i}` }), name: 'look_up', args },
      // Of parallel calls, Gemini signs the first.
      ...(i === 0 && { thoughtSignature: first }),
    })),
  )
  return fc
    .tuple(fc.array(thought, { maxLength: 1 }), fc.array(text, { maxLength: 1 }), calls)
    .map((parts) => ({ role: 'model', parts: parts.flat() }))
}

const openAiStep = (index: number) => {
  const details = signature.map((data) => [{ type: 'reasoning.encrypted', data, index: 0 }])
  const reasoning = fc.oneof(
    fc.record({ reasoning_content: word }),
    fc.record({ reasoning: word, reasoning_details: details }),
    fc.record({ reasoning_details: details }),
    fc.constant({}),
  )
  const calls = fc
    .tuple(callCount, input, fc.option(signature, { nil: undefined }))
    .map(([count, value, signed]) =>
      Array.from({ length: count }, (_, i) => ({
        id: `call_${index}_${i}`,
        type: 'function' as const,
        function: { name: 'look_up', arguments: JSON.stringify(value) },
        ...(i === 0 && signed !== undefined && { extra_content: { google: { thought_signature: signed } } }),
      })),
    )
  return fc
    .tuple(fc.option(word, { nil: null }), reasoning, calls)
    .map(([content, thoughts, tool_calls]) => ({ role: 'assistant', content, ...thoughts, tool_calls }))
}

/** Records a tool loop after any conversation. Results come together or one by one, in either order. */
function record<Answer>(
  earlier: readonly Message[],
  steps: readonly Step<Answer>[],
  from: (answer: Answer) => NewMessage,
): readonly Message[] {
  const loop = steps.flatMap(({ answer, isResultFirst: isReversed }) => {
    const message = from(answer)
    const parts = (message.content as readonly Part[]).filter((part) => part.type === 'tool-call')
    const results = parts.map(
      ({ toolCallId }): Part => ({ type: 'tool-result', toolCallId, output: 'found' }),
    )
    const said = isReversed
      ? results.toReversed().map((result): NewMessage => ({ role: 'tool', content: [result] }))
      : [{ role: 'tool' as const, content: results }]
    return [message, ...said]
  })
  return toMessages([...earlier, { role: 'user', content: 'The question.' }, ...loop])
}

const countAll = (messages: readonly ContextMessage[]): number =>
  messages.reduce((sum, message) => sum + countMessageTokens(countCharacters, message), PER_REQUEST)

interface RoundTrip<Answer> {
  readonly provider: Provider
  readonly loop: fc.Arbitrary<readonly Step<Answer>[]>
  readonly from: (answer: Answer) => NewMessage
  /** The answers as the provider gets them. */
  readonly answersIn: (messages: readonly ContextMessage[]) => readonly unknown[]
}

function checkRoundTrip<Answer>({ provider, loop, from, answersIn }: RoundTrip<Answer>): void {
  const budget = fc.integer({ min: 200, max: 4000 })
  fc.assert(
    fc.property(conversation, loop, budget, (earlier, steps, budgetTokens) => {
      const history = record(earlier, steps, from)
      const built = tryBuild(materialOf(history, { budgetTokens }))
      if (built === undefined) return
      expect(answersIn(built.messages).slice(-steps.length)).toEqual(steps.map(({ answer }) => answer))
      expect(checkValidity(built.messages)).toEqual([])
      expect(checkValidity(built.messages, { provider, thinking: true })).toEqual([])
      expect(countAll(built.messages)).toBeLessThanOrEqual(budgetTokens)
    }),
    { numRuns: 500 },
  )
}

describe('an answer with reasoning and tool calls comes back as the provider gave it', () => {
  test('Anthropic: thinking, redacted thinking, interleaved and parallel calls', () => {
    checkRoundTrip({
      provider: 'anthropic',
      loop: loopOf(anthropicStep),
      from: fromAnthropic,
      answersIn: (messages) => toAnthropic(messages).messages.filter(({ role }) => role === 'assistant'),
    })
  })

  test('Gemini: thoughts, signed texts, signed calls with and without ids', () => {
    checkRoundTrip({
      provider: 'gemini',
      loop: loopOf(geminiStep),
      from: fromGemini,
      answersIn: (messages) => toGemini(messages).contents.filter(({ role }) => role === 'model'),
    })
  })

  test('OpenAI: reasoning of compatible servers, and data beside tool calls', () => {
    checkRoundTrip({
      provider: 'openai',
      loop: loopOf(openAiStep),
      from: fromOpenAi,
      answersIn: (messages) => toOpenAi(messages).filter(({ role }) => role === 'assistant'),
    })
  })

  test('whole responses are accepted too', () => {
    const message = { role: 'assistant', content: 'Yes.', refusal: null }
    expect(fromOpenAi({ choices: [{ message }] })).toEqual(fromOpenAi(message))
    const content = { role: 'model', parts: [{ text: 'Yes.' }] }
    expect(fromGemini({ candidates: [{ content }] })).toEqual(fromGemini(content))
  })

  test('Anthropic: a block of a tool that ran on its servers', () => {
    const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'tea' } }
    const answer = { content: [search, { type: 'text', text: 'Found it.' }] }
    const sent = toAnthropic([fromAnthropic(answer)])
    expect(sent.messages[0]?.content).toEqual(answer.content)
  })

  test('OpenAI: a refusal and a custom tool call', () => {
    const custom = { id: 'call_1', type: 'custom' as const, custom: { name: 'run', input: 'ls' } }
    expect(toOpenAi([fromOpenAi({ content: null, refusal: 'I cannot.', tool_calls: [custom] })])).toEqual([
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot.' }], tool_calls: [custom] },
    ])
  })

  test('Gemini: a function response repeats the id of its call', () => {
    const answer = fromGemini({ parts: [{ functionCall: { id: 'fc_1', name: 'look_up', args: {} } }] })
    const result: ContextMessage = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'fc_1', toolName: 'look_up', output: 'found' }],
    }
    const [, response] = toGemini([answer, result]).contents
    expect(response?.parts).toEqual([
      { functionResponse: { id: 'fc_1', name: 'look_up', response: { output: 'found' } } },
    ])
  })
})

describe('reasoning outside the current tool loop', () => {
  const thinking: Part = {
    type: 'reasoning',
    text: 'hm',
    providerMetadata: { anthropic: { signature: 'signed' } },
  }
  const call: Part = {
    type: 'tool-call',
    toolCallId: 'a',
    toolName: 'look_up',
    input: {},
    providerMetadata: { google: { thoughtSignature: 'signed too' } },
  }
  const result: Part = { type: 'tool-result', toolCallId: 'a', output: 'found' }
  const loop = [
    { role: 'user' as const, content: 'look' },
    { role: 'assistant' as const, content: [thinking, call] },
    { role: 'tool' as const, content: [result] },
  ]
  const build = (said: Parameters<typeof toMessages>[0]) =>
    tryBuild(materialOf(toMessages(said), { budgetTokens: 2000 }))

  test('of an answered turn it is left out, and the receipt says so', () => {
    const built = build([
      ...loop,
      { role: 'assistant', content: 'There.' },
      { role: 'user', content: 'And?' },
    ])
    expect(JSON.stringify(built?.messages)).not.toContain('"signed"')
    expect(JSON.stringify(built?.messages)).toContain('signed too')
    expect(built?.receipt.repairs).toContainEqual({
      repair: 'the reasoning in one message is not sent, because no open tool loop needs it',
    })
  })

  test('of a loop that the user interrupted it is sent', () => {
    const built = build([...loop, { role: 'user', content: 'Hurry up.' }])
    expect(checkValidity(built?.messages ?? [], { thinking: true })).toEqual([])
    expect(JSON.stringify(built?.messages)).toContain('"signed"')
    expect(built?.receipt.repairs).toEqual([])
  })

  test('a loop without it is reported as invalid for a model that thinks', () => {
    const built = build([
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [{ ...call, providerMetadata: {} }] },
      { role: 'tool', content: [result] },
    ])
    expect(checkValidity(built?.messages ?? [])).toEqual([])
    expect(checkValidity(built?.messages ?? [], { thinking: true })).toEqual([
      'Anthropic: message 1: a tool loop must begin with its thinking block',
      'Gemini: content 1: the first function call has no thought signature',
    ])
  })

  test('an answer that ends with reasoning is sent without that end', () => {
    const built = build([
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [{ type: 'text', text: 'I will.' }, thinking] },
    ])
    expect(checkValidity(built?.messages ?? [])).toEqual([])
    expect(built?.messages.at(-1)?.content).toBe('I will.')
  })
})
