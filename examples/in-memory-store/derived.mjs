// Derivations and edits.

import { createWorkspace, findConversation, findMessage, needConversation, notFound } from './data.mjs'
import { addJob, countJobs, findHeld } from './jobs.mjs'

/** Drops everything derived from a conversation, and its jobs. */
export function dropDerived(data, conversation) {
  drop(data, conversation, () => true)
  data.jobs = data.jobs.filter((job) => job.number !== conversation.number)
}

function drop(data, conversation, isDropped) {
  const dropped = conversation.derivations.filter(isDropped)
  if (dropped.length === 0) return
  conversation.derivations = conversation.derivations.filter((one) => !dropped.includes(one))
  conversation.workspace.erasureVersion = ++data.lastNumber
  for (const { items } of dropped) noteRemoved(data, conversation, items)
}

/** Changes the first part of the version of every kind that lost items. */
function noteRemoved(data, { workspace }, items) {
  for (const { kind } of items) workspace.removals[kind] = ++data.lastNumber
}

const toDerivation = ({ generation, version, isActive, revision, cursor, state }) => ({
  generation,
  version,
  isActive,
  revision,
  cursor,
  state,
})

/** All generations of a deriver, oldest first. */
const all = (data, { deriver, ...key }) =>
  (findConversation(data, key)?.derivations ?? [])
    .filter((one) => one.deriver === deriver)
    .sort((one, other) => one.generation - other.generation)
const find = (data, key, generation) =>
  all(data, key).find((one) => (generation === undefined ? one.isActive : one.generation === generation))
const everywhere = (data, workspace) => [...(data.workspaces.get(workspace)?.conversations.values() ?? [])]

const derivationMethods = {
  erasureVersion: (data, workspace) => `${data.workspaces.get(workspace)?.erasureVersion ?? ''}`,
  findDerivation(data, key, generation) {
    const found = find(data, key, generation)
    return found && toDerivation(found)
  },
  derivations: (data, key) => all(data, key).map(toDerivation),
  activeDerivations: (data, workspace, deriver) =>
    everywhere(data, workspace).flatMap(({ info, derivations }) =>
      derivations
        .filter((one) => one.deriver === deriver && one.isActive)
        .map((one) => ({ ...toDerivation(one), conversation: info.id })),
    ),
  commitDerivation,
  dropDerivation(data, key, generation) {
    const conversation = findConversation(data, key)
    if (conversation === undefined) return
    drop(
      data,
      conversation,
      (one) => one.deriver === key.deriver && (generation ?? one.generation) === one.generation,
    )
  },
  derivedItems(
    data,
    { workspace, conversation, deriver, kind, key, generation, after = 0, limit, withVectors },
  ) {
    const sources =
      conversation === undefined
        ? everywhere(data, workspace).flatMap(({ derivations }) => derivations.filter((one) => one.isActive))
        : [find(data, { workspace, conversation, deriver }, generation)].filter((one) => one !== undefined)
    return sources
      .filter((one) => deriver === undefined || one.deriver === deriver)
      .flatMap(({ items }) => items)
      .filter((item) => item.kind === kind && (key ?? item.key) === item.key && item.number > after)
      .sort((one, other) => one.number - other.number)
      .slice(0, limit)
      .map(({ vector, ...item }) => (withVectors && vector ? { ...item, vector } : item))
  },
  itemsVersion(data, { workspace, kind }) {
    const found = data.workspaces.get(workspace)
    if (found === undefined) return ''
    const numbers = everywhere(data, workspace)
      .flatMap(({ derivations }) => derivations.flatMap(({ items }) => items))
      .filter((item) => item.kind === kind)
      .map(({ number }) => number)
    return `${found.removals[kind] ?? 0}:${Math.max(0, ...numbers)}`
  },
  readings(
    data,
    { generation, after = -1, before = Number.POSITIVE_INFINITY, topic, withVectors, limit, ...key },
  ) {
    return [...(find(data, key, generation)?.readings.values() ?? [])]
      .filter(({ position }) => position > after && position < before)
      .filter((one) => topic === undefined || one.topic === topic)
      .sort((one, other) => one.position - other.position)
      .slice(0, limit)
      .map(({ vector, ...one }) => (withVectors && vector ? { ...one, vector } : one))
  },
  listStale(data, { deriver, version, behind, limit }) {
    return [...data.workspaces.values()]
      .flatMap(({ id, conversations }) => [...conversations.values()].map((one) => ({ id, ...one })))
      .filter(({ info, derivations }) => {
        const active = derivations.find((one) => one.deriver === deriver && one.isActive)
        if (!info.isMemoryOn || info.messageCount === 0) return false
        if (active !== undefined && active.version !== version) return true
        return info.messageCount - (active?.cursor ?? 0) >= Math.max(behind, 1)
      })
      .sort((one, other) => other.info.lastUsedAt - one.info.lastUsedAt || other.number - one.number)
      .slice(0, limit)
      .map(({ id, info }) => ({ workspace: id, conversation: info.id }))
  },
}

function renewTitle(conversation, { title }) {
  const { info } = conversation
  if (title !== undefined && !info.isTitleGiven) conversation.info = { ...info, title }
}

function commitDerivation(data, commit) {
  const job = commit.finishes && findHeld(data, commit.finishes)
  if (commit.finishes !== undefined && job === undefined) return false
  const conversation = needConversation(data, commit)
  if (job !== undefined && job.number !== conversation.number) return false
  const { workspace } = conversation
  const current = conversation.derivations.find(
    (one) => one.deriver === commit.deriver && one.generation === commit.generation,
  )
  if (!isAsRead(conversation, current, commit)) return false
  const next = advance(current, commit)
  next.items = putItems(data, conversation, next.items, commit)
  if (next.isActive && current?.isActive !== true) {
    const { erasureVersion } = workspace
    drop(data, conversation, (one) => one.deriver === commit.deriver && one !== current)
    // Replacing a generation erases nothing.
    workspace.erasureVersion = erasureVersion
    // Its items become visible under numbers that readers may have passed.
    noteRemoved(data, conversation, next.items)
  }
  conversation.derivations = [...conversation.derivations.filter((one) => one !== current), next]
  for (const one of commit.jobs ?? []) addJob(data, conversation, one, commit.now)
  if (job !== undefined) data.jobs = data.jobs.filter((one) => one !== job)
  renewTitle(conversation, commit)
  return true
}

/** Whether nothing has changed since the deriver read it. */
function isAsRead({ info, workspace }, current, { revision, cursor, erasureVersion }) {
  const version = `${workspace.erasureVersion}`
  return (
    (current?.revision ?? 0) === revision &&
    cursor <= info.messageCount &&
    info.isMemoryOn &&
    (erasureVersion ?? version) === version
  )
}

function advance(
  current,
  { deriver, generation, version, cursor, state, isActive, merges = [], readings = [] },
) {
  const merged = new Map(current?.readings)
  for (const { from, into } of merges)
    for (const reading of merged.values())
      if (reading.topic === from) merged.set(reading.position, { ...reading, topic: into })
  for (const reading of readings)
    merged.set(reading.position, structuredClone({ ...merged.get(reading.position), ...reading }))
  return {
    deriver,
    generation,
    version,
    isActive: isActive || current?.isActive === true,
    revision: (current?.revision ?? 0) + 1,
    cursor,
    state: structuredClone(state),
    readings: merged,
    items: current?.items ?? [],
  }
}

function putItems(data, conversation, items, { put = [], drop: dropped = [] }) {
  const isSame = (one) => (other) => one.kind === other.kind && one.key === other.key
  const removed = items.filter((item) => dropped.some(isSame(item)))
  noteRemoved(data, conversation, removed)
  const kept = items.filter((item) => !removed.includes(item) && !put.some(isSame(item)))
  const last = put.filter((item, index) => !put.slice(index + 1).some(isSame(item)))
  return [
    ...kept,
    ...last.map((item) => ({
      ...structuredClone(item),
      conversationId: conversation.info.id,
      number: ++data.lastNumber,
    })),
  ]
}

function noteChange(data, workspace) {
  workspace.editsVersion = ++data.lastNumber
}

const editMethods = {
  saveEdit(data, id, edit, { now, replace, position }) {
    const conversation = edit.conversation && needConversation(data, { workspace: id, ...edit })
    for (const source of edit.sources ?? []) {
      const message = findMessage(data, id, source)
      if (message === undefined || message.erasedAt !== undefined)
        throw notFound(`there is no message "${source}", or it was erased`)
    }
    const workspace = createWorkspace(data, id)
    const isEarlier = (one) =>
      one.kind === edit.kind && one.key === edit.key && one.conversation === edit.conversation
    if (replace) workspace.edits = workspace.edits.filter((one) => !isEarlier(one))
    const saved = structuredClone({
      sources: [],
      ...edit,
      id: ++data.lastNumber,
      position: position ?? conversation?.info.messageCount ?? 0,
      createdAt: now,
    })
    workspace.edits = [...workspace.edits, saved]
    noteChange(data, workspace)
    return saved
  },
  edits(data, { workspace, conversation, kinds, key, after = 0, now, limit }) {
    return (data.workspaces.get(workspace)?.edits ?? [])
      .filter(
        (edit) =>
          (conversation === undefined || (edit.conversation ?? null) === conversation) &&
          (kinds?.includes(edit.kind) ?? true) &&
          (key ?? edit.key) === edit.key &&
          edit.id > after &&
          (now === undefined || edit.expiresAt === undefined || edit.expiresAt > now),
      )
      .slice(0, limit)
  },
  deleteEdits(data, id, ids) {
    const workspace = data.workspaces.get(id)
    const before = workspace?.edits.length ?? 0
    if (workspace === undefined) return 0
    workspace.edits = workspace.edits.filter((edit) => !ids.includes(edit.id))
    if (workspace.edits.length < before) noteChange(data, workspace)
    return before - workspace.edits.length
  },
  editsVersion: (data, workspace) => `${data.workspaces.get(workspace)?.editsVersion ?? ''}`,
}

function countAll(data, id) {
  const workspace = data.workspaces.get(id)
  const conversations = [...(workspace?.conversations.values() ?? [])]
  const messages = conversations.flatMap((one) => one.messages)
  const items = conversations.flatMap(({ derivations }) =>
    derivations.flatMap(({ isActive, items: own }) => (isActive ? own : [])),
  )
  const count = (kind) => items.filter((item) => item.kind === kind).length
  const { waiting, running, dead } = countJobs(data, id)
  return {
    conversations: conversations.length,
    archivedConversations: conversations.filter(({ info }) => info.archivedAt !== undefined).length,
    messages: messages.length,
    erasedMessages: messages.filter(({ erasedAt }) => erasedAt !== undefined).length,
    compressedMessages: 0,
    savedBytes: 0,
    tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
    receipts: conversations.reduce((sum, { receipts }) => sum + receipts.length, 0),
    pages: 0,
    queries: 0,
    documents: 0,
    chunks: 0,
    topics: count('topic'),
    entities: count('entity'),
    statements: count('statement'),
    summaries: count('summary'),
    edits: workspace?.edits.length ?? 0,
    waitingJobs: waiting,
    runningJobs: running,
    deadJobs: dead,
    storageBytes: JSON.stringify(messages).length,
  }
}

export const derivedMethods = { ...derivationMethods, ...editMethods, statistics: countAll }
