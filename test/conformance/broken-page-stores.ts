// Stores that break a promise about pages or queries, each with the case that must fail.

import { ELSEWHERE, HERE } from '../../conformance/store/samples.ts'
import type { PageState, Query } from '../../src/domain/page.ts'
import type { PageKey, PageSave } from '../../src/store/page-store.ts'
import type { Store } from '../../src/store/store.ts'

export interface BrokenStore {
  readonly flaw: string
  /** The case that must fail. */
  readonly noticedBy: string
  readonly breakStore: (store: Store) => Partial<Store>
}

const sleep = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

/** Changes every page that is returned. */
const withPages = (store: Store, change: (page: PageState) => PageState): Partial<Store> => ({
  findPage: async (key) => {
    const page = await store.findPage(key)
    return page && change(page)
  },
  savePage: async (save) => change(await store.savePage(save)),
})

/** Changes every list of queries that is returned. */
const withQueries = (
  store: Store,
  change: (queries: readonly Query[]) => readonly Query[],
): Partial<Store> => ({
  queries: async (range) => change(await store.queries(range)),
  queriesAt: async (key, positions) => change(await store.queriesAt(key, positions)),
})

/** Reads, yields to other writers, then writes: a lost update. */
const saveInTwoSteps = (store: Store) => async (save: PageSave) => {
  const page = await store.findPage(save)
  await sleep(1)
  const fields = save.change(page)
  return fields === page ? page : store.savePage({ ...save, change: () => fields })
}

export const BROKEN_PAGE_STORES: readonly BrokenStore[] = [
  {
    flaw: 'loses keys that look special',
    noticedBy: 'the state of a page comes back as it was saved, its times as dates',
    breakStore: (store) =>
      withPages(store, (page) => ({
        ...page,
        entities: Object.fromEntries(Object.entries(page.entities).filter(([key]) => key !== '__proto__')),
      })),
  },
  {
    flaw: 'makes a page when somebody looks for it',
    noticedBy: 'a page that is not there is not found, and looking for it makes none',
    breakStore: (store) => ({
      findPage: async (key) => {
        const now = new Date()
        const empty = { activeFile: null, currentTopic: null, entities: {}, preferences: {} }
        const change = (page?: PageState) => page ?? { ...empty, createdAt: now, updatedAt: now }
        return store.savePage({ ...key, change })
      },
    }),
  },
  {
    flaw: 'reads a page before it writes, and lets others in between',
    noticedBy: 'a change begins with what is there at that moment: writers at once lose no key of each other',
    breakStore: (store) => ({ savePage: saveInTwoSteps(store) }),
  },
  {
    flaw: 'makes a page anew for each who makes it at once',
    noticedBy: 'many who make the same page at once make one, and all see it',
    breakStore: (store) => ({ savePage: saveInTwoSteps(store) }),
  },
  {
    flaw: 'keeps a page whose change was refused',
    noticedBy: 'a change that is refused leaves the page as it was, or makes none',
    breakStore: (store) => ({
      savePage: async (save) => {
        const now = new Date()
        const empty = { activeFile: null, currentTopic: null, entities: {}, preferences: {} }
        await store.savePage({
          ...save,
          change: (page) => page ?? { ...empty, createdAt: now, updatedAt: now },
        })
        return store.savePage(save)
      },
    }),
  },
  {
    flaw: 'skips a page from one part of the list to the next',
    noticedBy: 'pages are listed by last use, newest first, and every page of the list has each once',
    breakStore: (store) => ({
      listPages: async (list) => {
        const page = await store.listPages(list)
        return list.cursor === undefined ? page : { ...page, items: page.items.slice(1) }
      },
    }),
  },
  {
    flaw: 'forgets a document on every page of the store',
    noticedBy: 'a document that is forgotten is the active file of no page, and all else stays',
    breakStore: (store) => ({
      forgetDocument: async (_workspace, documentId, now) =>
        (await store.forgetDocument(HERE, documentId, now)) +
        (await store.forgetDocument(ELSEWHERE, documentId, now)),
    }),
  },
  {
    flaw: 'shows pages of another workspace',
    noticedBy: 'pages of another workspace are neither seen nor touched',
    breakStore: (store) => ({
      findPage: async (key) =>
        (await store.findPage(key)) ?? store.findPage({ ...key, workspace: ELSEWHERE }),
    }),
  },
  {
    flaw: 'takes a conversation for unused though its page is in use',
    noticedBy: 'a conversation whose page was used is not unused',
    breakStore: (store) => ({
      listConversations: async ({ unusedSince, ...list }) => {
        const page = await store.listConversations(list)
        if (unusedSince === undefined) return page
        return { ...page, items: page.items.filter(({ lastUsedAt }) => lastUsedAt < unusedSince) }
      },
    }),
  },
  {
    flaw: 'leaves the page of an erased conversation',
    noticedBy: 'an erased conversation takes the page of its id with it, and no other',
    breakStore: (store) => leavePages(store),
  },
  {
    flaw: 'refuses to erase an id that has only a page',
    noticedBy: 'an id with a page and no conversation can be erased as a conversation too',
    breakStore: (store) => ({
      eraseConversations: async (keys) => {
        for (const key of keys) await store.changeConversation(key, {})
        return store.eraseConversations(keys)
      },
    }),
  },
  {
    flaw: 'erases the conversation together with a page',
    noticedBy: 'a page that is erased is gone with its queries and words, and its conversation stays',
    breakStore: (store) => ({
      erasePage: ({ workspace, page }) =>
        store.eraseConversations([{ workspace, conversation: page as never }]),
    }),
  },
  {
    flaw: 'leaves the pages of an erased workspace',
    noticedBy: 'an erased workspace takes its pages and queries with it',
    breakStore: (store) => leavePages(store),
  },
  {
    flaw: 'cuts a query at NUL',
    noticedBy: 'a query comes back to the last character',
    breakStore: (store) => ({
      addQueries: (addition) =>
        store.addQueries({
          ...addition,
          queries: addition.queries.map((query) => ({ ...query, query: query.query.split('\0')[0] ?? '' })),
        }),
    }),
  },
  {
    flaw: 'empties a page when a query is added',
    noticedBy: 'a query makes the page that is missing, and one that is there keeps its state',
    breakStore: (store) => ({
      addQueries: async (addition) => {
        await store.savePage({ ...addition, change: () => addition.newPage })
        return store.addQueries(addition)
      },
    }),
  },
  {
    flaw: 'sorts queries by time',
    noticedBy: 'queries are ordered by when they were added, whatever the clocks say',
    breakStore: (store) =>
      withQueries(store, (queries) =>
        queries.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
      ),
  },
  {
    flaw: 'drops a query when many are added at once',
    noticedBy: 'many who add at once leave no double and lose nothing',
    breakStore: (store) => withQueries(store, (queries) => queries.filter(({ position }) => position !== 17)),
  },
  {
    flaw: 'adds a query again when it is sent again',
    noticedBy: 'the same query id again returns what is there and writes nothing',
    breakStore: (store) => {
      const seen = new Set<string>()
      return {
        addQueries: (addition) =>
          store.addQueries({
            ...addition,
            queries: addition.queries.map((query, i) => {
              const isDouble = seen.has(query.id)
              seen.add(query.id)
              return isDouble ? { ...query, id: `${query.id}-${seen.size}-${i}` as never } : query
            }),
          }),
      }
    },
  },
  {
    flaw: 'overwrites a query',
    noticedBy: 'the same query id with other words, or on another page, is a conflict and writes nothing',
    breakStore: (store) => ({
      addQueries: async (addition) => {
        const { workspace } = addition
        const forget = (id: Query['id']) => store.eraseQuery(workspace, id).catch((error: unknown) => error)
        for (const { id } of addition.queries) await forget(id)
        return store.addQueries(addition)
      },
    }),
  },
  {
    flaw: 'hands out the end of the history in reverse',
    noticedBy: 'a stretch of the history is read from either end, in order',
    breakStore: (store) => ({
      queries: async (range) => {
        const queries = await store.queries(range)
        return range.direction === 'backwards' ? queries.toReversed() : queries
      },
    }),
  },
  {
    flaw: 'reads positions in the order asked for',
    noticedBy: 'queries are read by their positions, in order, and a position of none yields none',
    breakStore: (store) => ({
      queriesAt: async (key, positions) => {
        const queries = await store.queriesAt(key, positions)
        return queries.toSorted((a, b) => positions.indexOf(a.position) - positions.indexOf(b.position))
      },
    }),
  },
  {
    flaw: 'cannot take a flag back',
    noticedBy: 'flagged queries can be read alone, and a flag changes nothing else',
    breakStore: (store) => ({ flagQuery: (workspace, id) => store.flagQuery(workspace, id, true) }),
  },
  {
    flaw: 'finds a query of another workspace by its id',
    noticedBy: 'a query is found by its id, in its workspace alone',
    breakStore: (store) => ({ findQuery: (_, id) => store.findQuery(HERE, id) }),
  },
  {
    flaw: 'finds a query only later',
    noticedBy: 'a query is found by the words of question, SQL and response as soon as it was acknowledged',
    breakStore: (store) => ({
      findQueryPositions: async (search) => {
        const count = (await store.findPage(search))?.queryCount ?? 0
        return (await store.findQueryPositions(search)).map((positions) =>
          positions.filter((position) => position < count - 1),
        )
      },
    }),
  },
  {
    flaw: 'finds the oldest queries first',
    noticedBy: 'for each word, the newest queries of this page that contain it are returned, newest first',
    breakStore: (store) => ({
      findQueryPositions: async (search) => {
        const all = await store.findQueryPositions({ ...search, limit: 1000 })
        return all.map((positions) => positions.toReversed().slice(0, search.limit))
      },
    }),
  },
  {
    flaw: 'looks for words everywhere though told where',
    noticedBy: 'words can be looked for among the queries that have one of some others',
    breakStore: (store) => ({
      findQueryPositions: ({ withAnyOf: _, ...search }) => store.findQueryPositions(search),
    }),
  },
  {
    flaw: 'still finds a query that was erased',
    noticedBy: 'an erased query is gone with its words, and the others stay where they are',
    breakStore: (store) => {
      const erased: Query[] = []
      return {
        eraseQuery: async (workspace, id) => {
          const pages = await store.listPages({ workspace, limit: 100 })
          for (const { pageId } of pages.items) {
            const queries = await store.queries({ workspace, page: pageId, limit: 1000 })
            erased.push(...queries.filter((query) => query.id === id))
          }
          return store.eraseQuery(workspace, id)
        },
        queries: async (range) => {
          const mine = erased.filter(({ pageId }) => pageId === range.page)
          return [...(await store.queries(range)), ...mine]
        },
      }
    },
  },
]

/** Restores pages and queries after an erase. */
function leavePages(store: Store): Partial<Store> {
  const keep = async (workspace: PageKey['workspace']) => {
    const { items } = await store.listPages({ workspace, limit: 1000 })
    return Promise.all(
      items.map(async (page) => ({
        key: { workspace, page: page.pageId },
        page,
        queries: await store.queries({ workspace, page: page.pageId, limit: 1000 }),
      })),
    )
  }
  const putBack = async (kept: Awaited<ReturnType<typeof keep>>) => {
    for (const { key, page, queries } of kept) await store.addQueries({ ...key, queries, newPage: page })
  }
  return {
    eraseConversations: async (keys) => {
      const kept = keys[0] === undefined ? [] : await keep(keys[0].workspace)
      const erased = await store.eraseConversations(keys)
      await putBack(kept)
      return erased
    },
    eraseWorkspace: async (workspace) => {
      const kept = await keep(workspace)
      const erased = await store.eraseWorkspace(workspace)
      await putBack(kept)
      return erased
    },
  }
}
