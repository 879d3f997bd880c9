// Stores that break one promise about recall: exactly the cases that name it must fail.

import { expect, test } from 'vitest'
import { recallingMeaning } from '../../conformance/store/recalling-meaning.ts'
import { recallingPlaces } from '../../conformance/store/recalling-places.ts'
import { recallingTimes } from '../../conformance/store/recalling-times.ts'
import { recallingWords } from '../../conformance/store/recalling-words.ts'
import { recallingWorkspaces } from '../../conformance/store/recalling-workspaces.ts'
import { ELSEWHERE, HERE } from '../../conformance/store/samples.ts'
import { runCase } from '../../conformance/store/store-conformance.ts'
import { type ConversationId, messageId, type WorkspaceId } from '../../src/domain/ids.ts'
import { type MessageLocator, positionOf } from '../../src/domain/locator.ts'
import type { FoundLocators, RecallScope } from '../../src/store/recall-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

interface BrokenStore {
  readonly flaw: string
  readonly noticedBy: readonly string[]
  readonly breakStore: (store: Store) => Partial<Store>
}

const SPAN_MANY = 'words are found among what was said in a span of time in many conversations'
const SPAN_LATER =
  'words are found among what was said in a span of time, though most that has them was said later'
const PHRASES = 'words with spaces between them are found where they follow one another'
const AT_ONCE =
  'the places of messages are found by their words as soon as they were acknowledged, the newest first'
const GROUPS = 'a message counts if it has a word of every group'
const NOTHING = 'where nothing is asked for nothing is found'
const LIMIT = 'at most limit locators are returned, the highest ones, with the count of all'
const MANY = 'places are found in many conversations, with a count that is about right'
const NAMED = 'places are found in the conversations that are named, and in no others'
const OFF = 'messages of a conversation with its memory off are found only if that conversation is named'
const NEIGHBOURS = 'messages that follow one another have places that do'
const COMPRESSED = 'compressed messages and those of forks are found by their words like all others'
const ERASED =
  'erased words are found no more: of a message and its copies, of a conversation, of a workspace'
const HOSTILE =
  'words that mean something to a query language are only words, and nothing that is handed in is an error'
const TIMES = 'messages are found by the time they were said at: from a moment on, until before another'
const LATE = 'the time counts and not the order, and messages that came late with an earlier time are found'
const TIME_LIMIT =
  'of a time range with more messages than the limit, the last are returned, with the count of all'
const TIME_MANY =
  'times are looked up in many conversations, in those that are named, and not where memory is off'
const TIME_ERASED = 'what was erased is not found by its time either, and what was compressed is'
const NEAR = 'the nearest in meaning come first, with their similarity, and none that is farther than asked'
const NEAR_SEEN =
  'vectors are those that readers see, of the deriver that is asked for, and of the same length'
const NEAR_MANY =
  'the nearest are looked for in many conversations, in those that are named, and not where memory is off'
const NEAR_ERASED = 'what was erased is near nothing'
const HEADS = 'a head has all of a message but its words'
const TOPICS = 'heads tell the topic that readers see'
const WHOLE = 'whole messages are returned by their locators, compressed ones too'
const IN_ORDER = 'messages are returned in the order of the locators, without erased and missing ones'
const PLACES = 'locators of messages are found by their ids, except unknown and erased ones'
const SIZE = 'a scope has the size of its conversations: of those that are named, or of all with memory on'
const OWN = 'a workspace finds exactly its own, whatever another one says in conversations of the same names'
const OTHERS = 'nothing of another workspace is found by locator, id or vector'

const join = (one: FoundLocators, other: FoundLocators): FoundLocators => ({
  locators: [...one.locators, ...other.locators],
  count: one.count + other.count,
})

const otherOf = (workspace: WorkspaceId): WorkspaceId => (workspace === HERE ? ELSEWHERE : HERE)

async function listOff(store: Store, { workspace, conversations }: RecallScope): Promise<ConversationId[]> {
  if (conversations !== undefined) return []
  const { items } = await store.listConversations({ workspace, archived: 'with', limit: 1000 })
  return items.filter(({ isMemoryOn }) => !isMemoryOn).map(({ id }) => id)
}

const BROKEN: readonly BrokenStore[] = [
  {
    flaw: 'finds words only with the next message',
    noticedBy: [
      AT_ONCE,
      GROUPS,
      LIMIT,
      MANY,
      NAMED,
      OFF,
      NEIGHBOURS,
      ERASED,
      HOSTILE,
      OWN,
      SPAN_MANY,
      SPAN_LATER,
    ],
    breakStore: (store) => {
      let last: readonly MessageLocator[] = []
      return {
        append: async (request) => {
          const result = await store.append(request)
          last = await store.locate(
            request.workspace,
            result.messages.slice(-1).map(({ id }) => id),
          )
          return result
        },
        findByWords: async (lookup) => {
          const { locators } = await store.findByWords(lookup)
          const old = locators.filter((place) => !last.includes(place))
          return { locators: old, count: old.length }
        },
      }
    },
  },
  {
    flaw: 'is content with a word of any group',
    noticedBy: [GROUPS, NOTHING, HOSTILE, PHRASES],
    breakStore: (store) => ({
      findByWords: (lookup) => store.findByWords({ ...lookup, allOf: [lookup.allOf.flat()] }),
    }),
  },
  {
    flaw: 'gives the lowest places first',
    noticedBy: [AT_ONCE, GROUPS, LIMIT, COMPRESSED, SPAN_MANY, SPAN_LATER, PHRASES],
    breakStore: (store) => ({
      findByWords: async (lookup) => {
        const { locators, count } = await store.findByWords({ ...lookup, limit: 1000 })
        return { locators: locators.toReversed().slice(0, lookup.limit), count }
      },
    }),
  },
  {
    flaw: 'counts no more than it gives',
    noticedBy: [LIMIT, MANY, TIME_LIMIT, TIME_MANY, OWN, SPAN_MANY, SPAN_LATER],
    breakStore: (store) => ({
      findByWords: async (lookup) => {
        const { locators } = await store.findByWords(lookup)
        return { locators, count: locators.length }
      },
      findByTime: async (lookup) => {
        const { locators } = await store.findByTime(lookup)
        return { locators, count: locators.length }
      },
    }),
  },
  {
    flaw: 'gives all there are, whatever the limit',
    noticedBy: [LIMIT, MANY, TIME_LIMIT, TIME_MANY, NEAR, NEAR_MANY, SPAN_MANY, SPAN_LATER],
    breakStore: (store) => ({
      findByWords: (lookup) => store.findByWords({ ...lookup, limit: 1000 }),
      findByTime: (lookup) => store.findByTime({ ...lookup, limit: 1000 }),
      findNearest: (lookup) => store.findNearest({ ...lookup, limit: 1000 }),
    }),
  },
  {
    flaw: 'looks through all conversations, whichever are named',
    noticedBy: [NAMED, OFF, COMPRESSED, ERASED, TIME_MANY, NEAR_MANY, SIZE, OWN, SPAN_MANY],
    breakStore: (store) => ({
      findByWords: ({ conversations: _, ...lookup }) => store.findByWords(lookup),
      findByTime: ({ conversations: _, ...lookup }) => store.findByTime(lookup),
      findNearest: ({ conversations: _, ...lookup }) => store.findNearest(lookup),
      scopeSize: ({ workspace }) => store.scopeSize({ workspace }),
    }),
  },
  {
    flaw: 'looks through the first conversation that is named',
    noticedBy: [NAMED, NEAR_MANY, SIZE, OWN],
    breakStore: (store) => {
      const first = <Scope extends RecallScope>(scope: Scope): Scope =>
        scope.conversations === undefined
          ? scope
          : { ...scope, conversations: scope.conversations.slice(0, 1) }
      return {
        findByWords: (lookup) => store.findByWords(first(lookup)),
        findByTime: (lookup) => store.findByTime(first(lookup)),
        findNearest: (lookup) => store.findNearest(first(lookup)),
        scopeSize: (scope) => store.scopeSize(first(scope)),
      }
    },
  },
  {
    flaw: 'finds words where memory is off',
    noticedBy: [OFF, SPAN_MANY],
    breakStore: (store) => ({
      findByWords: async (lookup) => {
        const conversations = await listOff(store, lookup)
        return join(await store.findByWords(lookup), await store.findByWords({ ...lookup, conversations }))
      },
    }),
  },
  {
    flaw: 'finds times where memory is off',
    noticedBy: [TIME_MANY],
    breakStore: (store) => ({
      findByTime: async (lookup) => {
        const conversations = await listOff(store, lookup)
        const off = await store.findByTime({ ...lookup, conversations })
        return join(await store.findByTime(lookup), off)
      },
    }),
  },
  {
    flaw: 'counts what is kept where memory is off',
    noticedBy: [SIZE],
    breakStore: (store) => ({
      scopeSize: async (scope) => {
        const size = await store.scopeSize(scope)
        const off = await store.scopeSize({ ...scope, conversations: await listOff(store, scope) })
        return { ...size, messages: size.messages + off.messages }
      },
    }),
  },
  {
    flaw: 'finds words of another workspace',
    noticedBy: [OWN],
    breakStore: (store) => ({
      findByWords: async (lookup) =>
        join(
          await store.findByWords(lookup),
          await store.findByWords({ ...lookup, workspace: otherOf(lookup.workspace) }),
        ),
    }),
  },
  {
    flaw: 'counts words of another workspace',
    noticedBy: [OWN],
    breakStore: (store) => ({
      findByWords: async (lookup) => {
        const { locators, count } = await store.findByWords(lookup)
        const others = await store.findByWords({ ...lookup, workspace: otherOf(lookup.workspace) })
        return { locators, count: count + others.count }
      },
    }),
  },
  {
    flaw: 'finds times of another workspace',
    noticedBy: [OWN],
    breakStore: (store) => ({
      findByTime: async (lookup) =>
        join(
          await store.findByTime(lookup),
          await store.findByTime({ ...lookup, workspace: otherOf(lookup.workspace) }),
        ),
    }),
  },
  {
    flaw: 'shows what stands at a place of another workspace',
    noticedBy: [OTHERS],
    breakStore: (store) => ({
      getMessageMeta: async (workspace, places) => [
        ...(await store.getMessageMeta(workspace, places)),
        ...(await store.getMessageMeta(otherOf(workspace), places)),
      ],
    }),
  },
  {
    flaw: 'gives messages of another workspace',
    noticedBy: [OTHERS],
    breakStore: (store) => ({
      getContents: async (workspace, places) => [
        ...(await store.getContents(workspace, places)),
        ...(await store.getContents(otherOf(workspace), places)),
      ],
    }),
  },
  {
    flaw: 'finds what is near in another workspace',
    noticedBy: [OTHERS],
    breakStore: (store) => ({
      findNearest: async (lookup) => [
        ...(await store.findNearest(lookup)),
        ...(await store.findNearest({ ...lookup, workspace: otherOf(lookup.workspace) })),
      ],
    }),
  },
  {
    flaw: 'remembers what it found before',
    noticedBy: [AT_ONCE, OFF, ERASED],
    breakStore: (store) => {
      const known = new Map<string, FoundLocators>()
      return {
        findByWords: async (lookup) => {
          const key = JSON.stringify(lookup)
          const found = known.get(key) ?? (await store.findByWords(lookup))
          if (found.count > 0) known.set(key, found)
          return found
        },
      }
    },
  },
  {
    flaw: 'still has times of what was erased',
    noticedBy: [TIME_ERASED],
    breakStore: (store) => {
      const gone: { place: MessageLocator; time: number }[] = []
      return {
        eraseMessage: async (workspace, id, now) => {
          const [head] = await store.getMessageMeta(workspace, await store.locate(workspace, [id]))
          if (head !== undefined) gone.push({ place: head.locator, time: head.createdAt.getTime() })
          return store.eraseMessage(workspace, id, now)
        },
        findByTime: async (lookup) => {
          const isIn = ({ time }: { time: number }) =>
            time >= (lookup.from?.getTime() ?? -1e15) && time < (lookup.to?.getTime() ?? 1e15)
          const erased = gone.filter(isIn).map(({ place }) => place)
          return join(await store.findByTime(lookup), { locators: erased, count: erased.length })
        },
      }
    },
  },
  {
    flaw: 'takes quotes in a word for its end',
    noticedBy: [HOSTILE, PHRASES],
    breakStore: (store) => ({
      findByWords: (lookup) =>
        store.findByWords({
          ...lookup,
          allOf: lookup.allOf.map((group) => group.map((word) => word.split('"')[0] as string)),
        }),
    }),
  },
  {
    flaw: 'fails for very long words',
    noticedBy: [HOSTILE],
    breakStore: (store) => ({
      findByWords: async (lookup) => {
        if (lookup.allOf.flat().some((word) => word.length > 1000)) throw new RangeError('too long')
        return store.findByWords(lookup)
      },
    }),
  },
  {
    flaw: 'counts the end of a span in',
    noticedBy: [TIMES, TIME_LIMIT, TIME_MANY, OWN],
    breakStore: (store) => ({
      findByTime: ({ to, ...lookup }) =>
        store.findByTime({ ...lookup, ...(to && { to: new Date(to.getTime() + 1) }) }),
    }),
  },
  {
    flaw: 'looks for times by position',
    noticedBy: [LATE, TIME_ERASED, OWN],
    breakStore: (store) => ({
      findByTime: async (lookup) => {
        const found = await store.findByTime(lookup)
        const conversations = new Set(found.locators.map((place) => place - positionOf(place)))
        const filled = [...conversations].flatMap((first) => {
          const positions = found.locators.filter((place) => place - positionOf(place) === first)
          const [high = 0, low = 0] = [Math.max(...positions), Math.min(...positions)]
          return Array.from({ length: high - low + 1 }, (_, i) => (high - i) as MessageLocator)
        })
        return { locators: filled, count: Math.max(found.count, filled.length) }
      },
    }),
  },
  {
    flaw: 'gives the nearest in the order of their places',
    noticedBy: [NEAR, NEAR_MANY, NEAR_ERASED],
    breakStore: (store) => ({
      findNearest: async (lookup) => (await store.findNearest(lookup)).toSorted((a, b) => b.place - a.place),
    }),
  },
  {
    flaw: 'gives what is near however far it is',
    noticedBy: [NEAR, NEAR_SEEN],
    breakStore: (store) => ({
      findNearest: (lookup) => store.findNearest({ ...lookup, leastSimilarity: -2 }),
    }),
  },
  {
    flaw: 'multiplies instead of comparing angles',
    noticedBy: [NEAR],
    breakStore: (store) => ({
      findNearest: async (lookup) => {
        const length = Math.hypot(...lookup.vector)
        return (await store.findNearest(lookup)).map((near) => ({
          ...near,
          similarity: near.similarity * length,
        }))
      },
    }),
  },
  {
    flaw: 'takes the vectors of any deriver',
    noticedBy: [NEAR_SEEN],
    breakStore: (store) => ({
      findNearest: async (lookup) => [
        ...(await store.findNearest(lookup)),
        ...(await store.findNearest({
          ...lookup,
          deriver: lookup.deriver === 'reader' ? 'another' : 'reader',
        })),
      ],
    }),
  },
  {
    flaw: 'gives heads in the order of their places',
    noticedBy: [NEAR, NEAR_MANY, NEAR_ERASED, HEADS, TOPICS, IN_ORDER, PLACES, OTHERS],
    breakStore: (store) => ({
      getMessageMeta: (workspace, places) =>
        store.getMessageMeta(
          workspace,
          places.toSorted((a, b) => b - a),
        ),
    }),
  },
  {
    flaw: 'rounds how important a message is',
    noticedBy: [HEADS],
    breakStore: (store) => ({
      getMessageMeta: async (workspace, places) =>
        (await store.getMessageMeta(workspace, places)).map(({ importance, ...head }) => ({
          ...head,
          ...(importance !== undefined && { importance: Math.round(importance * 1e6) / 1e6 }),
        })),
    }),
  },
  {
    flaw: 'knows no topics',
    noticedBy: [TOPICS],
    breakStore: (store) => ({
      getMessageMeta: async (workspace, places) =>
        (await store.getMessageMeta(workspace, places)).map(({ topic: _, ...head }) => head),
    }),
  },
  {
    flaw: 'does not restore compressed messages',
    noticedBy: [WHOLE],
    breakStore: (store) => ({
      getContents: async (workspace, places) =>
        Promise.all(
          (await store.getContents(workspace, places)).map(async (message) => {
            const [head] = await store.getMessageMeta(workspace, [message.locator])
            const key = { workspace, conversation: head?.conversationId as ConversationId }
            const isPacked = (await store.compressedPositions(key)).includes(positionOf(message.locator))
            return isPacked ? { ...message, content: '' } : message
          }),
        ),
    }),
  },
  {
    flaw: 'gives erased messages as empty ones',
    noticedBy: [IN_ORDER],
    breakStore: (store) => {
      const gone = new Map<MessageLocator, Awaited<ReturnType<Store['getContents']>>[number]>()
      return {
        eraseMessage: async (workspace, id, now) => {
          const places = await store.locate(workspace, [id])
          for (const message of await store.getContents(workspace, places))
            gone.set(message.locator, { ...message, content: '' })
          return store.eraseMessage(workspace, id, now)
        },
        getContents: async (workspace, places) => {
          const found = await store.getContents(workspace, places)
          return places.flatMap(
            (place) => found.find((message) => message.locator === place) ?? gone.get(place) ?? [],
          )
        },
      }
    },
  },
  {
    flaw: 'tells the places of erased messages',
    noticedBy: [PLACES],
    breakStore: (store) => {
      const gone = new Map<string, MessageLocator>()
      return {
        eraseMessage: async (workspace, id, now) => {
          const [place] = await store.locate(workspace, [id])
          if (place !== undefined) gone.set(id, place)
          return store.eraseMessage(workspace, id, now)
        },
        locate: async (workspace, ids) => {
          const places = await Promise.all(ids.map((id) => store.locate(workspace, [messageId(id)])))
          return ids.flatMap((id, i) => places[i]?.[0] ?? gone.get(id) ?? [])
        },
      }
    },
  },
]

const CASES = [
  ...recallingWords,
  ...recallingTimes,
  ...recallingMeaning,
  ...recallingPlaces,
  ...recallingWorkspaces,
]

const openInMemory = () => openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })

async function findFailed(breakStore: BrokenStore['breakStore']): Promise<readonly string[]> {
  const open = async () => {
    const store = await openInMemory()
    return { ...store, ...breakStore(store) }
  }
  const failed: string[] = []
  for (const conformanceCase of CASES) {
    const { name, outcome } = await runCase(conformanceCase, open)
    if (outcome === 'failed') failed.push(name)
  }
  return failed
}

test.each(BROKEN.map((broken) => [broken.flaw, broken] as const))(
  'a store that %s fails exactly the cases for that promise',
  async (_flaw, { noticedBy, breakStore }) => {
    expect((await findFailed(breakStore)).toSorted()).toEqual(noticedBy.toSorted())
  },
)
