// Generates a deterministic synthetic conversation whose subjects recur, so that searches have results.

import type { NewMessage } from '../../index.ts'

const SUBJECTS: readonly (readonly [name: string, words: string])[] = [
  ['the roof', 'tiles rain gutter slate beam carpenter ladder chimney leak insulation'],
  ['the trip', 'train hotel river breakfast ticket museum luggage harbour station map'],
  ['the garden', 'soil beans shade compost frost roses hedge rake bees watering'],
  ['the budget', 'invoice rent savings tax quarter expenses loan account interest refund'],
  ['the violin', 'strings bow lesson concert scale teacher practice rosin sonata tune'],
  ['the bakery', 'flour oven dough crust yeast rye customers morning basket shelf'],
]
const VERBS = ['need', 'found', 'changed', 'forgot', 'like', 'want', 'checked', 'moved', 'lost', 'bought']
const TIMES = ['today', 'last week', 'in May', 'before noon', 'on Friday', 'after the meeting']

/** A small pseudo-random generator. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function madeUpTalk(count: number): readonly NewMessage[] {
  const pick = seeded(7)
  const anyOf = (list: readonly string[]): string => list[pick(list.length)] ?? ''
  const sentence = (name: string, words: readonly string[]): string =>
    `For ${name} I ${anyOf(VERBS)} the ${anyOf(words)} and the ${anyOf(words)} ${anyOf(TIMES)}, number ${pick(1000)}.`
  return Array.from({ length: count }, (_, i): NewMessage => {
    // A subject lasts a dozen turns, as in real conversations.
    const [name, words] = SUBJECTS[Math.floor(i / 12) % SUBJECTS.length] ?? ['it', '']
    const list = words.split(' ')
    const text = Array.from({ length: 2 + pick(3) }, () => sentence(name, list)).join(' ')
    return { role: i % 2 === 0 ? 'user' : 'assistant', content: text }
  })
}

/** Questions about the synthetic conversation. */
export function madeUpQuestions(count: number): readonly string[] {
  const pick = seeded(11)
  return Array.from({ length: count }, (_, i) => {
    const [name, words] = SUBJECTS[i % SUBJECTS.length] ?? ['it', '']
    const list = words.split(' ')
    return `What about ${name} and the ${list[pick(list.length)]}?`
  })
}

/** Pairs of words that occur together in many messages. */
export function madeUpSearches(count: number): readonly string[] {
  const pick = seeded(13)
  return Array.from({ length: count }, (_, i) => {
    const list = (SUBJECTS[i % SUBJECTS.length]?.[1] ?? '').split(' ')
    return `${list[pick(list.length)]} ${list[pick(list.length)]}`
  })
}
