// The lookups of recall. A scan over all messages is enough for a store of this size.

import { indexableWords, READER, readableText, toLocator } from 'recollect/store'
import { conversationsOf } from './data.mjs'

/** Messages in scope, each with its conversation and its locator, the highest locator first. */
const list = (data, { workspace, conversations, from, to }) =>
  conversationsOf(data, workspace)
    .filter(({ info }) => conversations?.includes(info.id) ?? info.isMemoryOn)
    .flatMap((conversation) =>
      conversation.messages.map((message) => ({
        conversation,
        message,
        locator: toLocator(conversation.number, message.position),
      })),
    )
    .filter(({ message }) => message.erasedAt === undefined)
    .filter(({ message: { createdAt } }) => (from ?? createdAt) <= createdAt)
    .filter(({ message: { createdAt } }) => to === undefined || createdAt < to)
    .sort((one, other) => other.locator - one.locator)

const found = (entries, limit) => ({
  locators: entries.slice(0, limit).map(({ locator }) => locator),
  count: entries.length,
})

function at(data, workspace, locators) {
  const all = data.workspaces.get(workspace)?.conversations.keys() ?? []
  const entries = list(data, { workspace, conversations: [...all] })
  const byLocator = new Map(entries.map((entry) => [entry.locator, entry]))
  return locators.flatMap((locator) => byLocator.get(locator) ?? [])
}

const readingOf = ({ derivations }, position, deriver = READER) =>
  derivations.find((one) => one.deriver === deriver && one.isActive)?.readings.get(position)

export const recallMethods = {
  findByWords(data, { allOf, limit, ...scope }) {
    if (allOf.length === 0) return { locators: [], count: 0 }
    const entries = list(data, scope).filter(({ message }) => {
      const words = ` ${indexableWords(readableText(message.content))} `
      return allOf.every((group) => group.some((word) => word !== '' && words.includes(` ${word} `)))
    })
    return found(entries, limit)
  },
  findByTime: (data, { limit, ...scope }) => found(list(data, scope), limit),
  findNearest(data, { deriver, version, vector, limit, leastSimilarity, ...scope }) {
    return list(data, scope)
      .filter(({ conversation: { derivations } }) =>
        derivations.some(
          (one) => one.deriver === deriver && one.isActive && (version ?? one.version) === one.version,
        ),
      )
      .flatMap(({ conversation, message, locator }) => {
        const own = readingOf(conversation, message.position, deriver)?.vector
        return own?.length !== vector.length ? [] : [{ place: locator, similarity: cosine(own, vector) }]
      })
      .filter(({ similarity }) => similarity >= leastSimilarity)
      .sort((one, other) => other.similarity - one.similarity)
      .slice(0, limit)
  },
  getMessageMeta: (data, workspace, locators) =>
    at(data, workspace, locators).map(({ conversation, message, locator }) => {
      const { id, conversationId, role, name, createdAt, tokens, importance, position } = message
      const topic = readingOf(conversation, position)?.topic
      return {
        locator,
        id,
        conversationId,
        role,
        ...(name !== undefined && { name }),
        createdAt,
        tokens,
        ...(importance !== undefined && { importance }),
        ...(topic !== undefined && { topic }),
      }
    }),
  getContents: (data, workspace, locators) =>
    at(data, workspace, locators).map(({ message: { content, metadata }, locator }) => ({
      locator,
      content,
      ...(metadata !== undefined && { metadata }),
    })),
  locate(data, workspace, ids) {
    const all = data.workspaces.get(workspace)?.conversations.keys() ?? []
    const entries = list(data, { workspace, conversations: [...all] })
    const byId = new Map(entries.map(({ message, locator }) => [message.id, locator]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  },
  scopeSize(data, { workspace, conversations }) {
    const scope = conversationsOf(data, workspace)
      .filter(({ info }) => conversations?.includes(info.id) ?? info.isMemoryOn)
      .map(({ info }) => info)
    return {
      conversations: scope.length,
      messages: scope.reduce((sum, { messageCount }) => sum + messageCount, 0),
      tokens: scope.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
    }
  },
}

function cosine(one, other) {
  const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}
