// Nothing is on a disk, so an erase is complete as soon as no row has the text.

import { conversationsOf, findMessage, needConversation, notFound } from './data.mjs'
import { dropDerived } from './derived.mjs'

export const eraseMethods = {
  eraseMessage(data, workspace, id, now) {
    const message = findMessage(data, workspace, id)
    if (message === undefined) throw notFound(`there is no message "${id}"`)
    const original = message.copyOf ?? id
    const copies = conversationsOf(data, workspace).flatMap((conversation) =>
      conversation.messages
        .filter((one) => (one.id === original || one.copyOf === original) && one.erasedAt === undefined)
        .map((copy) => ({ conversation, copy })),
    )
    for (const { conversation, copy } of copies) blank(data, conversation, { message: copy, now })
    dropEdits(data, data.workspaces.get(workspace), { ids: new Set(copies.map(({ copy }) => copy.id)) })
    return erased({ messages: copies.length })
  },
  eraseConversations(data, keys) {
    const gone = new Set(keys.map((key) => needConversation(data, key)))
    const originals = new Set(
      [...gone].flatMap(({ messages }) => messages.map(({ id, copyOf }) => copyOf ?? id)),
    )
    const copiesIn = [...new Set([...gone].flatMap(({ workspace }) => [...workspace.conversations.values()]))]
      .filter((one) => !gone.has(one))
      .filter(({ messages }) => messages.some(({ id, copyOf }) => originals.has(copyOf ?? id)))
      .map(({ info }) => info.id)
    for (const conversation of gone) deleteConversation(data, conversation)
    return erased({ messages: countMessages([...gone]), conversations: gone.size, copiesIn })
  },
  eraseWorkspace(data, id) {
    if (!data.workspaces.has(id)) throw notFound(`there is no workspace "${id}"`)
    const gone = conversationsOf(data, id)
    data.workspaces.delete(id)
    data.jobs = data.jobs.filter(({ workspace }) => workspace !== id)
    return erased({ messages: countMessages(gone), conversations: gone.length })
  },
  scrub: () => true,
}

const erased = (counts) => ({
  messages: 0,
  conversations: 0,
  pages: 0,
  queries: 0,
  documents: 0,
  copiesIn: [],
  isScrubbed: true,
  ...counts,
})

/** Keeps the message without its text, so that positions have no gap. */
function blank(data, conversation, { message, now }) {
  const { name: _name, metadata: _metadata, ...rest } = message
  const removed = { ...rest, content: '', tokens: 0, erasedAt: now }
  conversation.messages = conversation.messages.map((one) => {
    if (one.position < message.position) return one
    return one === message ? removed : { ...one, tokensBefore: one.tokensBefore - message.tokens }
  })
  const { title, ...info } = conversation.info
  // A suggested title may contain the text.
  conversation.info = { ...info, ...(info.isTitleGiven && { title }) }
  conversation.info.tokenCount -= message.tokens
  dropDerived(data, conversation)
}

/** Edits are erased with the messages that they quote. */
function dropEdits(data, workspace, { ids, conversation: erased }) {
  const edits = workspace.edits.filter(
    ({ conversation, sources }) =>
      (conversation === undefined || conversation !== erased) && !sources.some((id) => ids.has(id)),
  )
  if (edits.length < workspace.edits.length) workspace.editsVersion = ++data.lastNumber
  workspace.edits = edits
  workspace.erasureVersion = ++data.lastNumber
}

/** The first copy of an erased original becomes the original of the others. */
function passOn(workspace, original) {
  let heir
  for (const conversation of workspace.conversations.values())
    conversation.messages = conversation.messages.map((message) => {
      if (message.copyOf !== original) return message
      const { copyOf: _, ...rest } = message
      heir ??= message.id
      return heir === message.id ? rest : { ...rest, copyOf: heir }
    })
}

function deleteConversation(data, conversation) {
  const { workspace, info, messages } = conversation
  dropDerived(data, conversation)
  workspace.conversations.delete(info.id)
  dropEdits(data, workspace, { ids: new Set(messages.map(({ id }) => id)), conversation: info.id })
  for (const { id } of messages) {
    workspace.numbers.delete(id)
    passOn(workspace, id)
  }
}

const countMessages = (conversations) => conversations.reduce((sum, { messages }) => sum + messages.length, 0)
