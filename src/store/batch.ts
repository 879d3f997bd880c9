// Batches calls that are made in the same tick. Recall looks up each word, topic and summary separately: over a
// network, a round trip takes longer than the query, and in a file, data that several lookups need is read once.

interface Waiting<Key, Value> {
  readonly key: Key
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

const MAX_KEYS_PER_BATCH = 100

/** `answer` gets several keys and returns a value for each, in order. `when` schedules the batch. */
export function batch<Key, Value>(
  answer: (keys: readonly Key[]) => Promise<readonly Value[]>,
  when: (ask: () => void) => void = setImmediate,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = []
  const askAll = () => {
    const all = waiting
    waiting = []
    for (let first = 0; first < all.length; first += MAX_KEYS_PER_BATCH)
      void ask(answer, all.slice(first, first + MAX_KEYS_PER_BATCH))
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

/** Groups rows by the number of their key. Statements number keys from 1. */
export function byKey<Row extends { readonly at: number }>(
  count: number,
  rows: readonly Row[],
): readonly Row[][] {
  const lists: Row[][] = Array.from({ length: count }, () => [])
  for (const row of rows) lists[row.at - 1]?.push(row)
  return lists
}
