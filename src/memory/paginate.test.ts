import { expect, test } from 'vitest'
import { paginate, paginateArray } from './paginate.ts'

const LETTERS = ['a', 'b', 'c', 'd', 'e']

/** Pages of two items; counts how often one is read. */
function pagesOfTwo(start?: string) {
  const cursors: (string | undefined)[] = []
  const list = paginate<string>(
    async (cursor) => {
      cursors.push(cursor)
      const from = Number(cursor ?? 0)
      const items = LETTERS.slice(from, from + 2)
      return from + 2 < LETTERS.length ? { items, next: String(from + 2) } : { items }
    },
    { cursor: start },
  )
  return { list, cursors }
}

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

test('awaiting a list reads one page', async () => {
  const { list, cursors } = pagesOfTwo()
  expect(await list).toEqual({ items: ['a', 'b'], next: '2' })
  expect(cursors).toEqual([undefined])
})

test('iterating a list yields every item, page by page', async () => {
  const { list, cursors } = pagesOfTwo()
  expect(await collect(list)).toEqual(LETTERS)
  expect(cursors).toEqual([undefined, '2', '4'])
})

test('nothing is read before a list is awaited or iterated, and stopping early reads no further page', async () => {
  const { list, cursors } = pagesOfTwo()
  expect(cursors).toEqual([])
  for await (const letter of list) if (letter === 'c') break
  expect(cursors).toEqual([undefined, '2'])
})

test('a list starts at its cursor', async () => {
  expect(await pagesOfTwo('2').list).toEqual({ items: ['c', 'd'], next: '4' })
  expect(await pagesOfTwo('2').list.toArray()).toEqual(['c', 'd', 'e'])
})

test('awaiting twice reads the page once; a list can be iterated again', async () => {
  const { list, cursors } = pagesOfTwo()
  await Promise.all([list, list])
  expect(cursors).toHaveLength(1)
  expect(await collect(list)).toEqual(await collect(list))
})

test('a failure rejects the promise and the iteration', async () => {
  const list = paginate(async () => {
    throw new Error('store is closed')
  })
  await expect(list).rejects.toThrow('store is closed')
  await expect(list.toArray()).rejects.toThrow('store is closed')
})

test('an array is cut into pages that continue after the cursor', async () => {
  let reads = 0
  const list = (options: { limit?: number; cursor?: string }) =>
    paginateArray(
      async () => {
        reads += 1
        return LETTERS
      },
      options,
      (letter) => letter,
    )
  expect(await list({ limit: 2 })).toEqual({ items: ['a', 'b'], next: 'b' })
  expect(await list({ limit: 3, cursor: 'b' })).toEqual({ items: ['c', 'd', 'e'] })
  expect(await list({})).toEqual({ items: LETTERS })
  reads = 0
  expect(await list({ limit: 1 }).toArray()).toEqual(LETTERS)
  expect(reads).toBe(1)
})

test('an unknown cursor and a limit that is not a number are rejected', async () => {
  const list = (options: { limit?: number; cursor?: string }) =>
    paginateArray(
      async () => LETTERS,
      options,
      (letter) => letter,
    )
  await expect(list({ cursor: 'z' })).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'invalid cursor',
  })
  await expect(list({ limit: 0 })).rejects.toMatchObject({ code: 'invalid-input' })
  await expect(list({ limit: -1 }).toArray()).rejects.toMatchObject({ code: 'invalid-input' })
})
