// Stores broken on purpose. A conformance suite is only as good as what it detects: each of these stores breaks one
// promise and must fail the case that names it.

import { expect, test } from 'vitest'
import { ELSEWHERE, HERE } from '../../conformance/store/samples.ts'
import { runCase, runStoreConformance, storeConformance } from '../../conformance/store/store-conformance.ts'
import { conversationId, messageId } from '../../src/domain/ids.ts'
import type { Message } from '../../src/domain/message.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { AcceptedMessage, Store } from '../../src/store/store.ts'
import { BROKEN_DOCUMENT_STORES } from './broken-document-stores.ts'
import { BROKEN_PAGE_STORES, type BrokenStore } from './broken-page-stores.ts'

const sleep = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
const withoutNul = (message: AcceptedMessage): AcceptedMessage =>
  typeof message.content === 'string'
    ? { ...message, content: message.content.replaceAll('\0', '') }
    : message

const BROKEN: readonly BrokenStore[] = [
  {
    flaw: 'acknowledges before it has written',
    noticedBy: 'what was acknowledged can be read at once',
    breakStore: (store) => ({
      append: async (request) => {
        const empty = { ...request, conversation: request.conversation, messages: [] }
        const { conversation } = await store.append(empty)
        const write = sleep(2).then(() => store.append(request))
        write.catch((error: unknown) => error)
        const messages = request.messages.map((message, position) => ({
          ...message,
          conversationId: request.conversation,
          position,
          tokensBefore: 0,
        }))
        return { messages, conversation, added: messages.length }
      },
    }),
  },
  {
    flaw: 'loses the last message of a large batch',
    noticedBy: 'a batch of a thousand messages is written whole and in order',
    breakStore: (store) => ({
      append: (request) => {
        const { messages } = request
        return store.append({
          ...request,
          messages: messages.length > 100 ? messages.slice(0, -1) : messages,
        })
      },
    }),
  },
  {
    flaw: 'drops a character',
    noticedBy: 'text comes back to the last character',
    breakStore: (store) => ({
      append: (request) => store.append({ ...request, messages: request.messages.map(withoutNul) }),
    }),
  },
  {
    flaw: 'gives times to the second only',
    noticedBy: 'speaker, importance, metadata and times come back as they went in',
    breakStore: (store) => ({
      messages: async (range) =>
        (await store.messages(range)).map((message) => ({
          ...message,
          recordedAt: new Date(Math.floor(message.recordedAt.getTime() / 1000) * 1000),
        })),
    }),
  },
  {
    flaw: 'leaves a gap in the positions',
    noticedBy: 'many appends at once to one conversation leave no gap and no double',
    breakStore: (store) => ({
      messages: async (range) =>
        (await store.messages(range)).map((message) =>
          message.position < 50 ? message : { ...message, position: message.position + 1 },
        ),
    }),
  },
  {
    flaw: 'sorts by time instead of position',
    noticedBy: 'positions follow the order given, whatever the clocks say',
    breakStore: (store) => ({
      messages: async (range) =>
        (await store.messages(range)).toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    }),
  },
  {
    flaw: 'writes a message twice when it is sent twice',
    noticedBy: 'the same message id again returns what was first written and writes nothing',
    breakStore: (store) => {
      let doubles = 0
      return {
        append: async (request) => {
          const messages = await Promise.all(
            request.messages.map(async (message) =>
              (await store.findMessage(request.workspace, message.id)) === undefined
                ? message
                : { ...message, id: messageId(`${message.id}-double-${doubles++}`) },
            ),
          )
          return store.append({ ...request, messages })
        },
      }
    },
  },
  {
    flaw: 'ignores the append key',
    noticedBy: 'a repeated append key returns what was written first, even with new ids',
    breakStore: (store) => ({
      append: ({ appendKey: _, ...request }) =>
        store.append({
          ...request,
          messages: request.messages.map(({ appendKey: __, ...message }) => message),
        }),
    }),
  },
  {
    flaw: 'writes the first half of a batch that is refused',
    noticedBy: 'a batch with one message in conflict writes nothing',
    breakStore: (store) => ({
      append: async (request) => {
        const results = []
        for (const message of request.messages) {
          results.push(await store.append({ ...request, messages: [message] }))
        }
        const last = results.at(-1) ?? (await store.append(request))
        return {
          ...last,
          messages: results.flatMap(({ messages }) => messages),
          added: results.reduce((sum, { added }) => sum + added, 0),
        }
      },
    }),
  },
  {
    flaw: 'shows the message of another workspace',
    noticedBy: 'messages of another workspace cannot be read',
    breakStore: (store) => ({
      findMessage: async (workspace, id) =>
        (await store.findMessage(workspace, id)) ?? (await store.findMessage(ELSEWHERE, id)),
    }),
  },
  {
    flaw: 'searches all workspaces',
    noticedBy: 'messages of another workspace are not found by their words',
    breakStore: (store) => ({
      searchMessages: async (search) => {
        const pages = await Promise.all(
          [HERE, ELSEWHERE].map((workspace) => store.searchMessages({ ...search, workspace })),
        )
        return { items: pages.flatMap(({ items }) => items) }
      },
    }),
  },
  {
    flaw: 'indexes late',
    noticedBy: 'a message is found by each of its words as soon as it was acknowledged',
    breakStore: (store) => {
      let newest = new Set<string>()
      return {
        append: async (request) => {
          const result = await store.append(request)
          newest = new Set(result.messages.map(({ id }) => id))
          return result
        },
        searchMessages: async (search) => {
          const page = await store.searchMessages(search)
          return { ...page, items: page.items.filter(({ id }) => !newest.has(id)) }
        },
      }
    },
  },
  {
    flaw: 'still finds what was erased',
    noticedBy: 'an erased message is not found by its words, and the others still are',
    breakStore: (store) => {
      const erased: Message[] = []
      return {
        eraseMessage: async (workspace, id, now) => {
          const message = await store.findMessage(workspace, id)
          if (message !== undefined) erased.push(message)
          return store.eraseMessage(workspace, id, now)
        },
        searchMessages: async (search) => {
          const page = await store.searchMessages(search)
          return { ...page, items: [...page.items, ...erased] }
        },
      }
    },
  },
  {
    flaw: 'drops metadata when it compresses',
    noticedBy: 'compressed messages are read and found just as before',
    breakStore: (store) => ({
      messages: async (range) => {
        const compressed = await store.compressedPositions(range)
        return (await store.messages(range)).map(({ metadata, ...message }) => ({
          ...message,
          ...(metadata !== undefined && !compressed.includes(message.position) && { metadata }),
        }))
      },
    }),
  },
  {
    flaw: 'does not find what is compressed',
    noticedBy: 'compressed messages are read and found just as before',
    breakStore: (store) => ({
      searchMessages: async (search) => {
        const page = await store.searchMessages(search)
        const isLive = async ({ conversationId, position }: Message) => {
          const key = { workspace: search.workspace, conversation: conversationId }
          return !(await store.compressedPositions(key)).includes(position)
        }
        const live = await Promise.all(page.items.map(isLive))
        return { ...page, items: page.items.filter((_, i) => live[i]) }
      },
    }),
  },
  {
    flaw: 'gives compressed messages in the order in which they were compressed',
    noticedBy: 'messages compressed bit by bit, in any order and in any groups, are read just as before',
    breakStore: (store) => {
      const order: number[] = []
      return {
        compress: (key, positions) => {
          order.push(...positions)
          return store.compress(key, positions)
        },
        messages: async (range) =>
          (await store.messages(range)).toSorted(
            (a, b) => order.indexOf(a.position) - order.indexOf(b.position),
          ),
      }
    },
  },
  {
    flaw: 'only says that it compressed',
    noticedBy: 'compressing returns how many messages it compressed and how many bytes that saved',
    breakStore: () => ({
      compress: async (_key, positions) => ({ messages: positions.length, bytesBefore: 100, bytesAfter: 10 }),
    }),
  },
  {
    flaw: 'counts messages again that are compressed already',
    noticedBy: 'messages that are compressed already, erased or not there are passed over',
    breakStore: (store) => ({
      compress: async (key, positions) => ({
        ...(await store.compress(key, positions)),
        messages: positions.length,
      }),
    }),
  },
  {
    flaw: 'says of messages that they got smaller though they did not',
    noticedBy: 'messages that would not get smaller stay as they are',
    breakStore: (store) => ({
      compress: async (key, positions) => {
        const compressed = await store.compress(key, positions)
        return compressed.messages > 0
          ? compressed
          : { messages: positions.length, bytesBefore: 2, bytesAfter: 20 }
      },
    }),
  },
  {
    flaw: 'makes a conversation in order to compress it',
    noticedBy: 'a conversation that is not there has nothing compressed, and cannot be',
    breakStore: (store) => ({
      compress: async (key, positions) => {
        await store.createConversation({ ...key, fields: {}, createdAt: new Date() })
        return store.compress(key, positions)
      },
    }),
  },
  {
    flaw: 'compresses conversations of the same name in other workspaces too',
    noticedBy: 'compressing touches one conversation of one workspace',
    breakStore: (store) => ({
      compress: async (key, positions) => {
        const theirs = { ...key, workspace: ELSEWHERE }
        if ((await store.findConversation(theirs)) !== undefined) await store.compress(theirs, positions)
        return store.compress(key, positions)
      },
    }),
  },
  {
    flaw: 'does not recognise a retry of what is compressed',
    noticedBy: 'a retry finds what it wrote though it is compressed, and other words are refused',
    breakStore: (store) => ({
      append: async (request) => {
        const compressed = await store.compressedPositions(request)
        const { appendKey: _, ...keyless } = request
        const doubled = request.messages.map(({ appendKey: __, ...message }) => ({
          ...message,
          id: messageId(`${message.id}-again`),
        }))
        return store.append(compressed.length === 0 ? request : { ...keyless, messages: doubled })
      },
    }),
  },
  {
    flaw: 'copies nothing but blanks from what is compressed',
    noticedBy: 'a fork of compressed messages has their words, and compresses by itself',
    breakStore: (store) => {
      const blank = new Set<string>()
      return {
        fork: async (request) => {
          if ((await store.compressedPositions(request)).length > 0) blank.add(request.into)
          return store.fork(request)
        },
        messages: async (range) =>
          (await store.messages(range)).map((message) =>
            blank.has(message.conversationId) ? { ...message, content: '' } : message,
          ),
      }
    },
  },
  {
    flaw: 'keeps an erased message in its block',
    noticedBy: 'a compressed message can be erased, and those beside it stay as they were',
    breakStore: (store) => {
      const kept: number[] = []
      return {
        eraseMessage: async (workspace, id, now) => {
          const message = await store.findMessage(workspace, id)
          if (message !== undefined) {
            const key = { workspace, conversation: message.conversationId }
            if ((await store.compressedPositions(key)).includes(message.position)) kept.push(message.position)
          }
          return store.eraseMessage(workspace, id, now)
        },
        compressedPositions: async (key) =>
          [...(await store.compressedPositions(key)), ...kept].sort((a, b) => a - b),
      }
    },
  },
  {
    flaw: 'keeps the copies of an erased message that are compressed',
    noticedBy: 'erasing a message erases its copies, compressed or not, on either side',
    breakStore: (store) => {
      const kept = new Map<string, Message>()
      return {
        eraseMessage: async (workspace, id, now) => {
          const branch = { workspace, conversation: conversationId('branch') }
          const compressed = await store.compressedPositions(branch)
          for (const message of await store.messages({ ...branch, limit: 100 })) {
            if (compressed.includes(message.position)) kept.set(message.id, message)
          }
          return store.eraseMessage(workspace, id, now)
        },
        findMessage: async (workspace, id) => kept.get(id) ?? (await store.findMessage(workspace, id)),
      }
    },
  },
  {
    flaw: 'forgets that words were lost',
    noticedBy: 'a message whose words were lost elsewhere keeps its place and its mark, and a check names it',
    breakStore: (store) => ({
      append: (request) =>
        store.append({
          ...request,
          messages: request.messages.map(({ isDamaged: _, ...message }) => message),
        }),
    }),
  },
  {
    flaw: 'skips a conversation from one page to the next',
    noticedBy: 'pages of a list have every conversation once, also those used at the same moment',
    breakStore: (store) => ({
      listConversations: async (list) => {
        const page = await store.listConversations(list)
        return list.cursor === undefined ? page : { ...page, items: page.items.slice(1) }
      },
    }),
  },
  {
    flaw: 'goes on after it was closed',
    noticedBy: 'what was asked for before closing is done, and whatever comes later is refused',
    breakStore: () => ({ close: async () => undefined }),
  },
  {
    flaw: 'never calls its commit hook',
    noticedBy: 'a commit listener is called once for each committed write, before the call resolves',
    breakStore: () => ({ onCommit: () => () => undefined }),
  },
  ...BROKEN_PAGE_STORES,
  ...BROKEN_DOCUMENT_STORES,
]

const openInMemory = () => openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })

/** Runs the case that must fail on a store. */
async function judge({ noticedBy }: BrokenStore, open: () => Promise<Store>): Promise<unknown> {
  const noticing = storeConformance.find(({ name }) => name === noticedBy)
  return noticing === undefined ? `there is no case "${noticedBy}"` : (await runCase(noticing, open)).outcome
}

test.each(BROKEN.map((broken) => [broken.flaw, broken] as const))(
  'a store that %s is detected',
  async (_flaw, broken) => {
    expect(await judge(broken, openInMemory), 'an intact store passes').toBe('passed')
    const openBroken = async () => {
      const store = await openInMemory()
      return { ...store, ...broken.breakStore(store) }
    }
    expect(await judge(broken, openBroken)).toBe('failed')
  },
)

test('cases for a capability that a store lacks are skipped with a reason', async () => {
  const results = await runStoreConformance(async () => {
    const store = await openInMemory()
    return { ...store, capabilities: { ...store.capabilities, canBackUp: false } }
  })
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  expect(skipped.map(({ name }) => name)).toEqual([
    'a backup is a separate file and changes nothing',
    'a backup never overwrites a file',
  ])
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['the store declares canBackUp: false']),
  )
})

test('case names are unique', () => {
  const names = storeConformance.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
