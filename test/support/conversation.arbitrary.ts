// Conversations as they really come: tools in parallel, answered late, twice or never, people who talk at
// once, blank messages, erased and damaged ones, huge ones, any characters.

import fc from 'fast-check'
import { conversationId, messageId } from '../../src/domain/ids.ts'
import type { Content, Message, Part, Role } from '../../src/domain/message.ts'
import { countMessageTokens } from '../../src/domain/tokens.ts'

/** Cheap and strictly growing with the text, so that every character counts. */
export const countCharacters = (text: string): number => Math.ceil(text.length / 3)

interface Said {
  readonly role: Role
  readonly content: Content
  readonly name?: string
  readonly isErased?: boolean
  readonly isDamaged?: true
}

const words = fc.constantFrom(
  'tea',
  'Lisbon',
  '😀👩‍👩‍👧',
  'שלום עולם',
  'nul\u0000byte',
  '漢字',
  '  ',
  '',
  '<|endoftext|>',
  '\u202eright',
)
const text = fc.oneof(
  { weight: 8, arbitrary: fc.array(words, { minLength: 1, maxLength: 6 }).map((list) => list.join(' ')) },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((wild) => wild.toWellFormed()) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }).map((times) => 'long story '.repeat(times * 20)) },
)
const callId = fc.constantFrom('a', 'b', 'c', 'call_0', 'id with spaces', 'é.1')
const name = fc.option(fc.constantFrom('Ana', 'Ben Ó'), { nil: undefined })

const result = callId.map((id): Part => ({ type: 'tool-result', toolCallId: id, output: { rows: 2 } }))
const call = callId.map(
  (id): Part => ({ type: 'tool-call', toolCallId: id, toolName: 'look_up', input: '{"q": 1' }),
)
const unique = { maxLength: 3, selector: (part: Part) => ('toolCallId' in part ? part.toolCallId : '') }
const withTexts = (parts: readonly Part[], said: string): Content => [{ type: 'text', text: said }, ...parts]

const said: fc.Arbitrary<Said> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ role: fc.constant<Role>('user'), content: text, name }).map(dropUndefined),
  },
  { weight: 4, arbitrary: text.map((content): Said => ({ role: 'assistant', content })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.uniqueArray(call, { ...unique, minLength: 1 }), text)
      .map(([calls, before]): Said => ({ role: 'assistant', content: withTexts(calls, before) })),
  },
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(result, { ...unique, minLength: 1 })
      .map((content): Said => ({ role: 'tool', content })),
  },
  { weight: 1, arbitrary: text.map((content): Said => ({ role: 'system', content })) },
  {
    weight: 1,
    arbitrary: text.map(
      (thought): Said => ({ role: 'assistant', content: [{ type: 'reasoning', text: thought }] }),
    ),
  },
  {
    weight: 1,
    arbitrary: text.map((url): Said => ({ role: 'user', content: [{ type: 'image', url, tokens: 90 }] })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Role>('user', 'assistant', 'system', 'tool')
      .map((role): Said => ({ role, content: '', isErased: true })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Role>('user', 'assistant', 'system', 'tool')
      .map((role): Said => ({ role, content: '', isDamaged: true })),
  },
)

function dropUndefined({
  name: speaker,
  ...rest
}: {
  role: Role
  content: string
  name: string | undefined
}): Said {
  return speaker === undefined ? rest : { ...rest, name: speaker }
}

/** A conversation as the record holds it. */
export const conversation: fc.Arbitrary<readonly Message[]> = fc
  .array(said, { maxLength: 40 })
  .map(toMessages)

export function toMessages(conversationOf: readonly Said[]): readonly Message[] {
  let tokensBefore = 0
  return conversationOf.map(({ isErased, ...message }, position) => {
    const tokens = isErased ? 0 : countMessageTokens(countCharacters, message)
    const at = new Date(position * 1000)
    const stored: Message = {
      ...message,
      id: messageId(`m${position}`),
      conversationId: conversationId('chat'),
      position,
      createdAt: at,
      recordedAt: at,
      tokens,
      tokenizer: 'characters',
      tokensBefore,
      ...(isErased && { erasedAt: at }),
    }
    tokensBefore += tokens
    return stored
  })
}
