// Calls that are made at the same moment are answered together. Recall asks for each word, topic and summary by itself:
// over a network, asking takes longer than answering, and in a file what all of them need is read once.

interface Waiting<Key, Value> {
  readonly key: Key
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/** So many at most. */
const MOST = 100

/** `answer` is handed several keys, and gives a value for each, in their order. `when` says how long they are waited for. */
export function batch<Key, Value>(
  answer: (keys: readonly Key[]) => Promise<readonly Value[]>,
  when: (ask: () => void) => void = setImmediate,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = []
  const askAll = () => {
    const all = waiting
    waiting = []
    for (let first = 0; first < all.length; first += MOST) void ask(answer, all.slice(first, first + MOST))
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (waiting.length === 1) when(askAll)
    })
}

async function ask<Key, Value>(
  answer: (keys: readonly Key[]) => Promise<readonly Value[]>,
  waiting: readonly Waiting<Key, Value>[],
): Promise<void> {
  try {
    const values = await answer(waiting.map(({ key }) => key))
    for (const [i, { resolve }] of waiting.entries()) resolve(values[i] as Value)
  } catch (error) {
    for (const { reject } of waiting) reject(error)
  }
}

/** The rows of each of so many keys, by the number that a statement gives them, from 1. */
export function byKey<Row extends { readonly at: number }>(
  count: number,
  rows: readonly Row[],
): readonly Row[][] {
  const lists: Row[][] = Array.from({ length: count }, () => [])
  for (const row of rows) lists[row.at - 1]?.push(row)
  return lists
}
