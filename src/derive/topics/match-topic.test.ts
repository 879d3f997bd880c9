import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Role } from '../../domain/message.ts'
import { builtInEmbedder } from '../../model/built-in/built-in-embedder.ts'
import { DEFAULTS } from '../../options/options.ts'
import { matchTopic, NO_TOPICS } from './match-topic.ts'
import { resolveMatching } from './matching-options.ts'
import type { TopicMessage, TopicState } from './topic-state.ts'

const options = resolveMatching(DEFAULTS.topics, builtInEmbedder)
type Said = readonly [role: Role, text: string]

async function toMessages(said: readonly Said[]): Promise<TopicMessage[]> {
  const vectors = await builtInEmbedder.embed(said.map(([, text]) => text))
  return said.map(([role, text], position) => ({
    role,
    text,
    position,
    saidAt: new Date(Date.UTC(2025, 0, 6, 9) + position * 20_000),
    vector: vectors[position] as Float32Array,
  }))
}

function feed(messages: readonly TopicMessage[], from: TopicState = NO_TOPICS, topics: number[] = []) {
  let state = from
  for (const message of messages) {
    const match = matchTopic(state, message, options)
    for (const { position, topic } of match.assignments) topics[position] = topic
    state = match.state
  }
  return { state, topics }
}

const topicsOf = async (...said: Said[]) => feed(await toMessages(said)).topics

const HOTEL: Said[] = [
  ['user', 'I am looking for a hotel with free wifi in the north of Lisbon.'],
  ['assistant', 'The Aurora Guesthouse in Lisbon has free wifi. Shall I book a room there?'],
]
const SQL: Said[] = [
  ['user', 'Can you write an SQL query that sums the revenue of each region?'],
  ['assistant', 'SELECT region, SUM(revenue) FROM sales GROUP BY region sums the revenue of every region.'],
]

test('a request for something else begins a topic, and the reply stays with its question', async () => {
  expect(await topicsOf(...HOTEL, ...SQL)).toEqual([0, 0, 2, 2])
})

test.each(['show me the top 5', 'yes please', 'why?', 'ok', 'thanks!', 'and the second one?'])(
  'a short follow-up stays with the current topic: %s',
  async (text) => {
    expect(await topicsOf(...HOTEL, ...SQL, ['user', text], ['assistant', 'Here you are.'])).toEqual([
      0, 0, 2, 2, 2, 2,
    ])
  },
)

test('a message about an earlier topic returns to it', async () => {
  const back: Said = ['user', 'Back to the Aurora Guesthouse in Lisbon: does the hotel have parking?']
  expect(await topicsOf(...HOTEL, ...SQL, back)).toEqual([0, 0, 2, 2, 0])
})

test('an assistant does not change the subject, but a person who talks about their life may', async () => {
  const question = 'that is nice . do you like to cook ? my favorite recipe is soup'
  const between = (reply: string): Said[] => [
    ['user', 'i have two dogs and a kitten'],
    ['assistant', reply],
    ['user', 'my dog is a good dog'],
    ['assistant', reply],
    ['user', 'my kitten loves my dog'],
    ['assistant', question],
  ]
  expect((await topicsOf(...between('A dog needs a walk every day.'))).at(-1)).toBe(0)
  expect((await topicsOf(...between('i love my dog too , i work with animals'))).at(-1)).toBe(5)
})

test('topics in a language without cues are separated by similarity alone', async () => {
  const topics = await topicsOf(
    ['user', 'Szukam taniego hotelu w Krakowie na weekend'],
    ['assistant', 'Hotel Wawel w Krakowie ma wolne pokoje na weekend.'],
    ['user', 'Hotel Wawel w Krakowie brzmi dobrze, ile kosztuje pokój?'],
    ['assistant', 'Pokój w hotelu Wawel kosztuje 300 zł.'],
    ['user', 'Napisz zapytanie sumujące sprzedaż według regionów'],
    ['assistant', 'Zapytanie sumujące sprzedaż: SELECT region, SUM(sprzedaż).'],
  )
  expect(topics).toEqual([0, 0, 0, 0, 4, 4])
})

test('messages without spoken text follow the previous message', async () => {
  const topics = await topicsOf(
    ['system', 'You are a travel agent who writes SQL.'],
    ...HOTEL,
    ['tool', '{"rooms": 3}'],
    ...SQL,
    ['tool', '{"rows": 5}'],
    ['assistant', ''],
  )
  expect(topics).toEqual([0, 0, 0, 0, 4, 4, 4, 4])
})

test('only the message before the newest changes its topic, and the result lists the change', async () => {
  const messages = await toMessages([...HOTEL, ...SQL, ...HOTEL, ...SQL])
  let state = NO_TOPICS
  for (const message of messages) {
    const match = matchTopic(state, message, options)
    expect(match.assignments.at(-1)?.position).toBe(message.position)
    for (const moved of match.assignments.slice(0, -1)) expect(moved.position).toBe(message.position - 1)
    state = match.state
  }
})

const anySaid = fc.tuple(
  fc.constantFrom<Role>('user', 'assistant', 'tool', 'system'),
  fc.oneof(fc.constantFrom(...[...HOTEL, ...SQL].map(([, text]) => text), 'yes please', ''), fc.lorem()),
)

test('processing in batches, from a copy of the state, gives the same topics', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySaid, { maxLength: 20 }), fc.nat(20), async (said, cut) => {
      const messages = await toMessages(said)
      const whole = feed(messages)
      const first = feed(messages.slice(0, cut))
      const second = feed(messages.slice(cut), structuredClone(first.state), first.topics)
      expect(second.topics).toEqual(whole.topics)
      expect(second.state).toEqual(whole.state)
    }),
  )
})

test('every message has a topic, whose key is not after its own position', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySaid, { maxLength: 20 }), async (said) => {
      const { topics } = feed(await toMessages(said))
      expect(topics).toHaveLength(said.length)
      for (const [position, topic] of topics.entries()) {
        expect(topic).toBeLessThanOrEqual(position)
        expect(topics[topic]).toBe(topic)
      }
    }),
  )
})
