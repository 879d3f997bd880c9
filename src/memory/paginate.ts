import { MemoryError } from '../domain/errors.ts'
import type { Paginated } from '../domain/search.ts'
import { checkLimit } from '../schemas/values.ts'

/**
 * What every `list()` and `search()` returns. Await it for one page, or iterate it for all items; nothing is read
 * until you do either.
 *
 * @example
 * const { items, next } = await memory.facts.list({ limit: 20 })
 * const rest = next === undefined ? [] : await memory.facts.list({ cursor: next }).toArray()
 *
 * for await (const fact of memory.facts.list()) console.log(fact.attribute, fact.value)
 */
export interface PaginatedList<Item> extends Promise<Paginated<Item>>, AsyncIterable<Item> {
  /** All items, from the first page (or the given cursor) to the end. */
  toArray(): Promise<readonly Item[]>
}

/** Which part of a list to read. */
export interface PageOptions {
  /** Maximum number of items on a page, up to 10,000. @default 500 */
  readonly limit?: number
  /** `next` of the page before. */
  readonly cursor?: string
}

const DEFAULT_LIMIT = 500

interface Paging<Item> {
  /** Where to start. */
  readonly cursor?: string | undefined
  /** The order in which iteration yields the items of a page. @default as they are */
  readonly order?: (items: readonly Item[]) => readonly Item[]
}

/** A list whose pages are read one by one. */
export function paginate<Item>(
  readPage: (cursor: string | undefined) => Promise<Paginated<Item>>,
  { cursor: start, order = (items) => items }: Paging<Item> = {},
): PaginatedList<Item> {
  async function* iterate(): AsyncGenerator<Item> {
    for (let cursor = start; ; ) {
      const { items, next } = await readPage(cursor)
      yield* order(items)
      if (next === undefined) return
      cursor = next
    }
  }
  return toList(() => readPage(start), iterate)
}

/** A list that is only available as a whole: it is read once, and pages are slices of it. */
export function paginateArray<Item>(
  readAll: () => Promise<readonly Item[]>,
  { limit, cursor }: PageOptions | undefined = {},
  cursorOf: (item: Item) => string,
): PaginatedList<Item> {
  async function readRest(): Promise<readonly Item[]> {
    const items = await readAll()
    if (cursor === undefined) return items
    const before = items.findIndex((item) => cursorOf(item) === cursor)
    if (before >= 0) return items.slice(before + 1)
    throw new MemoryError('invalid-input', 'invalid cursor', {
      hint: 'the item it refers to may have been deleted: start again without a cursor',
    })
  }
  async function readPage(): Promise<Paginated<Item>> {
    const size = checkLimit(limit, DEFAULT_LIMIT)
    const rest = await readRest()
    const items = rest.slice(0, size)
    const last = items.at(-1)
    return rest.length > size && last !== undefined ? { items, next: cursorOf(last) } : { items }
  }
  return toList(readPage, async function* iterate() {
    checkLimit(limit, DEFAULT_LIMIT)
    yield* await readRest()
  })
}

function toList<Item>(
  readPage: () => Promise<Paginated<Item>>,
  iterate: () => AsyncGenerator<Item>,
): PaginatedList<Item> {
  let page: Promise<Paginated<Item>> | undefined
  const read = () => {
    page ??= readPage()
    return page
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited, like a database query
    then: (onPage, onError) => read().then(onPage, onError),
    catch: (onError) => read().catch(onError),
    finally: (onEnd) => read().finally(onEnd),
    [Symbol.toStringTag]: 'PaginatedList',
    [Symbol.asyncIterator]: iterate,
    async toArray() {
      const items: Item[] = []
      for await (const item of iterate()) items.push(item)
      return items
    },
  }
}

/** The position in a cursor of a list that is ordered by position. */
export function positionFrom(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new MemoryError('invalid-input', 'invalid cursor', { hint: 'pass `next` of the previous page' })
}
