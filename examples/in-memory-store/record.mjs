import { indexableWords, MemoryError, readableText } from 'recollect/store'
import {
  conflict,
  conversationsOf,
  createWorkspace,
  findConversation,
  findMessage,
  needConversation,
  notFound,
} from './data.mjs'
import { dropDerived } from './derived.mjs'

/** Conversations, messages and receipts. */
export const recordMethods = {
  append(data, request) {
    const { appendKey, messages, now } = request
    const existing = findConversation(data, request)
    const written = existing?.messages.filter((message) => message.appendKey === appendKey) ?? []
    if (appendKey !== undefined && written.length > 0)
      return { messages: repeat(existing, written, request), conversation: existing.info, added: 0 }
    const known = new Map()
    const before = existing?.messages ?? []
    let tokensBefore = existing?.info.tokenCount ?? 0
    const added = []
    const result = messages.map((message) => {
      const found = known.get(message.id) ?? findMessage(data, request.workspace, message.id)
      if (found !== undefined) return needSame(found, message, request.conversation)
      const stored = structuredClone({
        conversationId: request.conversation,
        position: before.length + added.length,
        tokensBefore,
        ...(appendKey !== undefined && { appendKey }),
        ...message,
      })
      tokensBefore += message.tokens
      added.push(stored)
      known.set(message.id, stored)
      return stored
    })
    const title = existing?.info.title === undefined ? request.suggestTitle(messages) : undefined
    const times = messages.map((message) => message.createdAt.getTime())
    const createdAt = new Date(times.reduce((oldest, time) => Math.min(oldest, time), now.getTime()))
    const conversation = create(data, { ...request, fields: {}, createdAt })
    if (added.length > 0) put(data, conversation, { messages: added, title })
    return { messages: result, conversation: conversation.info, added: added.length }
  },
  messages: (data, range) => readRange(data, range),
  messageIds: (data, range) => readRange(data, range).map(({ id }) => id),
  systemMessages: (data, key) =>
    (findConversation(data, key)?.messages ?? []).filter(
      ({ role, erasedAt }) => role === 'system' && erasedAt === undefined,
    ),
  findMessage,
  searchMessages(data, { workspace, conversation, terms, limit, cursor }) {
    const found = conversationsOf(data, workspace)
      .filter(({ info }) => conversation === undefined || info.id === conversation)
      .flatMap(({ messages }) => messages)
      .filter((message) => message.erasedAt === undefined && matches(terms, readableText(message.content)))
      .map((item) => ({ item, rank: [data.workspaces.get(workspace).numbers.get(item.id)] }))
    return toPage(found, limit, cursor)
  },

  createConversation: (data, request) => create(data, request).info,
  findConversation: (data, key) => findConversation(data, key)?.info,
  changeConversation: (data, key, fields) => change(data, needConversation(data, key), fields),
  listConversations(data, { workspace, archived, tag, isPinned, unusedSince, terms, limit, cursor }) {
    const found = conversationsOf(data, workspace)
      .filter(
        ({ info }) =>
          (archived === 'with' || (archived === 'only') === (info.archivedAt !== undefined)) &&
          (tag === undefined || info.tags.includes(tag)) &&
          (isPinned === undefined || info.isPinned === isPinned) &&
          (unusedSince === undefined || info.lastUsedAt < unusedSince) &&
          (terms === undefined || matches(terms, [info.title ?? '', ...info.tags].join(' '))),
      )
      .map(({ info, number }) => ({ item: info, rank: [info.lastUsedAt.getTime(), number] }))
    return toPage(found, limit, cursor)
  },
  fork(data, { at, into, fields, now, newId, ...key }) {
    const source = needConversation(data, key)
    const target = { workspace: key.workspace, conversation: into }
    if (findConversation(data, target)) throw conflict(`there is a conversation "${into}" already`)
    const last = source.messages[at]
    if (last === undefined) throw notFound(`"${key.conversation}" has no message at position ${at}`)
    const copies = source.messages.slice(0, at + 1).map(({ appendKey: _, ...message }) => ({
      ...message,
      conversationId: into,
      id: newId(),
      copyOf: message.copyOf ?? message.id,
    }))
    const ids = new Set(copies.map(({ id }) => id))
    if (ids.size < copies.length || copies.some(({ id }) => source.workspace.numbers.has(id)))
      throw conflict('there is another message with the id of a copy')
    const forkedFrom = { conversationId: key.conversation, messageId: last.id, position: at }
    const forked = create(data, { ...target, fields, forkedFrom, createdAt: now })
    const { edits } = forked.workspace
    for (const edit of edits.filter((one) => one.conversation === source.info.id && one.position <= at + 1))
      edits.push({ ...edit, id: ++data.lastNumber, conversation: into })
    return put(data, forked, { messages: copies })
  },

  saveReceipt(data, workspace, receipt, keep) {
    const conversation = needConversation(data, { workspace, conversation: receipt.conversationId })
    conversation.receipts = [structuredClone(receipt), ...conversation.receipts].slice(0, keep)
  },
  receipts: (data, key, limit) => findConversation(data, key)?.receipts.slice(0, limit) ?? [],

  listWorkspaces: (data) => [...data.workspaces.keys()],
  check: () => [{ check: 'messages are in memory' }],
  rebuild: (_data, onProgress) => onProgress?.(1, 1),
  backup: () => {
    throw new MemoryError('invalid-input', 'a store in memory has no backup', { hint: 'export the memory' })
  },
}

/** Returns the existing conversation, or a new one. */
function create(data, { workspace: id, conversation, fields, forkedFrom, createdAt }) {
  const found = findConversation(data, { workspace: id, conversation })
  if (found !== undefined) return found
  const workspace = createWorkspace(data, id)
  const info = {
    id: conversation,
    isTitleGiven: false,
    tags: [],
    isPinned: false,
    isMemoryOn: true,
    documents: [],
    metadata: {},
    ...toFields(fields),
    ...(forkedFrom && { forkedFrom }),
    messageCount: 0,
    tokenCount: 0,
    createdAt,
    lastUsedAt: createdAt,
  }
  const number = ++data.lastNumber
  const created = { number, workspace, info, messages: [], receipts: [], derivations: [] }
  workspace.conversations.set(conversation, created)
  return created
}

function change(data, conversation, fields) {
  const info = { ...conversation.info, ...toFields(fields) }
  for (const name of ['title', 'archivedAt']) if (info[name] === null) delete info[name]
  conversation.info = info
  if (!info.isMemoryOn) dropDerived(data, conversation)
  return info
}

/** Adds messages with their numbers and updates the counts. */
function put(data, conversation, { messages, title }) {
  conversation.messages = [...conversation.messages, ...messages]
  for (const { id } of messages) conversation.workspace.numbers.set(id, ++data.lastNumber)
  const times = conversation.messages.map(({ createdAt }) => createdAt.getTime())
  conversation.info = {
    ...conversation.info,
    ...(title !== undefined && { title }),
    messageCount: conversation.messages.length,
    tokenCount: conversation.messages.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(times.length > 0 && { lastUsedAt: new Date(times.reduce((a, b) => Math.max(a, b))) }),
  }
  return conversation.info
}

const toFields = (fields) =>
  Object.fromEntries(Object.entries(structuredClone(fields)).filter(([, value]) => value !== undefined))

function readRange(data, { after = -1, before = Number.POSITIVE_INFINITY, limit, direction, ...key }) {
  const all = (findConversation(data, key)?.messages ?? []).filter(
    ({ position }) => position > after && position < before,
  )
  return direction === 'backwards' ? all.slice(Math.max(0, all.length - limit)) : all.slice(0, limit)
}

/** Erased and damaged messages cannot be compared, and a retry must not fail because of that. */
function isSame(stored, message) {
  if (stored.erasedAt !== undefined) return true
  if (stored.role !== message.role || stored.name !== message.name) return false
  if (stored.isDamaged || message.isDamaged) return true
  return JSON.stringify(stored.content) === JSON.stringify(message.content)
}

function needSame(stored, message, conversation) {
  if (stored.conversationId === conversation && isSame(stored, message)) return stored
  throw conflict(`there is another message with the id "${message.id}"`)
}

/** The result of an append that is repeated with its key: messages known by id, the others in order. */
function repeat(conversation, written, { appendKey, messages }) {
  const rest = [...written]
  const found = messages.map((message) => {
    const stored = conversation.messages.find(({ id }) => id === message.id) ?? rest[0]
    if (stored !== undefined && stored === rest[0]) rest.shift()
    return stored !== undefined && isSame(stored, message) ? stored : undefined
  })
  if (rest.length === 0 && !found.includes(undefined)) return found
  throw conflict(`the key "${appendKey}" was used before for other messages`)
}

/** Whether the text contains all terms: each a phrase, the last word possibly a prefix. */
function matches(terms, text) {
  const words = ` ${indexableWords(text)} `
  return terms.every((term) => words.includes(` ${term.words.join(' ')}${term.isPrefix ? '' : ' '}`))
}

/** Highest rank first; the cursor is the rank of the last item. */
function toPage(entries, limit, cursor) {
  const sorted = entries.sort((one, other) => compare(other.rank, one.rank))
  const rest =
    cursor === undefined ? sorted : sorted.filter(({ rank }) => compare(rank, readCursor(cursor)) < 0)
  const page = rest.slice(0, limit)
  const next = rest.length > limit ? btoa(JSON.stringify(page.at(-1).rank)) : undefined
  return { items: page.map(({ item }) => item), ...(next !== undefined && { next }) }
}

function compare(one, other) {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : one[at] - other[at]
}

function readCursor(cursor) {
  try {
    const rank = JSON.parse(atob(cursor))
    if (Array.isArray(rank) && rank.every(Number.isSafeInteger)) return rank
  } catch (cause) {
    throw new MemoryError('invalid-input', 'invalid cursor', { cause })
  }
  throw new MemoryError('invalid-input', 'invalid cursor')
}
