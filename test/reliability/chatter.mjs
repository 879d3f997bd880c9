// Messages for the writers, generated from a seed so that a failure can be repeated. Every message carries the
// fingerprint of its text and the name of its batch, so that a reader can verify any message, acknowledged or not.

import { createHash } from 'node:crypto'

/** mulberry32: uniform enough, and the same on every machine. */
export function seededRandom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit) => Math.floor(next() * limit)
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick: (list) => list[below(list.length)],
  }
}

export function fingerprint({ role, name, content }) {
  return createHash('sha256')
    .update(JSON.stringify([role, name, content]))
    .digest('hex')
    .slice(0, 16)
}

const WORDS = [
  'sea',
  'Zürich',
  '東京',
  '🧑‍🚀',
  '\u0000',
  'a\u0000b',
  '"quoted"',
  '\\',
  'line\nbreak',
  '🇨🇭',
  'ordinary',
  'words',
]

const KINDS = [
  (text) => ({ role: 'user', content: text(12) }),
  (text) => ({ role: 'user', name: 'Ada', content: text(40) }),
  (text) => ({ role: 'assistant', content: [{ type: 'text', text: text(30) }] }),
  // Longer than a page of the file.
  (text) => ({ role: 'assistant', content: text(1500) }),
  (text) => ({
    role: 'assistant',
    content: [
      { type: 'text', text: text(3) },
      {
        type: 'tool-call',
        toolCallId: 'call-1',
        toolName: 'weather',
        input: { place: text(2), days: [1, 2.5, null] },
      },
    ],
  }),
  (text) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call-1', output: { sky: text(5), isWet: true } }],
  }),
]

/** Creates messages whose ids start with `name`. */
export function chatter(name, random) {
  let count = 0
  const text = (most) => Array.from({ length: random.between(1, most) }, () => random.pick(WORDS)).join(' ')
  const message = (batch) => {
    count += 1
    const words = random.pick(KINDS)(text)
    return { id: `${name}.${count}`, ...words, metadata: { fingerprint: fingerprint(words), ...batch } }
  }
  return {
    one: () => message(),
    many(size) {
      const batch = { batch: `${name}.${count + 1}`, size }
      return Array.from({ length: size }, () => message(batch))
    },
  }
}
