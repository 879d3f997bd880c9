import { findFact } from '../derive/facts/read-facts.ts'
import { type Importance, learnImportance, PLAIN_IMPORTANCE } from '../derive/importance/learn-importance.ts'
import {
  FEEDBACK,
  FEEDBACK_KINDS,
  type FeedbackItem,
  feedbackKey,
  readFeedback,
  type Verdict,
} from '../derive/importance/read-feedback.ts'
import { NOTE } from '../derive/notes/read-notes.ts'
import { readTopicUse } from '../derive/topics/read-topics.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { conversationId, documentId, type MessageId, messageId, queryId } from '../domain/ids.ts'
import { TOPIC_CONSTANTS } from '../options/derive-options.ts'
import { acceptChoice, acceptName, acceptObject } from '../record/accept.ts'
import type { WorkspaceDeps } from '../record/record.ts'

/**
 * Whether recalled items were helpful: `memory.feedback`. Recall ranks helpful items higher.
 *
 * @example
 * const { items } = await memory.recall('What do we eat?')
 * const { importance } = await memory.feedback.give({ kind: items[0].kind, id: items[0].id }, 'helpful')
 */
export interface Feedback {
  /** Records a verdict on an item; returns its new importance. */
  give(item: FeedbackItem, verdict: Verdict): Promise<Importance>
  /** Reverts the last verdict on an item. */
  undo(item: FeedbackItem): Promise<Importance>
  importanceOf(item: FeedbackItem): Promise<Importance>
}

const VERDICTS = ['helpful', 'not-helpful'] as const

/** An item that exists. */
interface KnownItem extends FeedbackItem {
  /** The importance that was set for it. */
  readonly given: number
}

export function createFeedback(deps: WorkspaceDeps): Feedback {
  const { store, workspace, now } = deps
  return {
    give: async (item, verdict) => {
      acceptChoice(verdict, { what: 'a verdict', choices: VERDICTS })
      const known = await needItem(deps, item)
      const sources = known.kind === 'message' ? [messageId(known.id)] : []
      const edit = { kind: FEEDBACK, key: feedbackKey(known), body: { verdict }, sources }
      await store.saveEdit(workspace, edit, { now: now() })
      return weigh(deps, known)
    },
    undo: async (item) => {
      const known = await needItem(deps, item)
      const edits = await store.edits({ workspace, kinds: [FEEDBACK], key: feedbackKey(known) })
      const last = edits.at(-1)
      if (last === undefined)
        throw new MemoryError('not-found', `there is no feedback on the ${item.kind} "${item.id}"`)
      await store.deleteEdits(workspace, [last.id])
      return weigh(deps, known)
    },
    importanceOf: async (item) => weigh(deps, await needItem(deps, item)),
  }
}

async function weigh({ store, workspace }: WorkspaceDeps, item: KnownItem): Promise<Importance> {
  const { helpful, unhelpful, last } = (await readFeedback(store, workspace))(item)
  return { ...learnImportance(item.given, helpful, unhelpful), ...definedFields({ verdict: last }) }
}

async function needItem(deps: WorkspaceDeps, item: FeedbackItem): Promise<KnownItem> {
  acceptObject(item, { what: 'what feedback is about', fields: ['kind', 'id'] })
  const kind = acceptChoice(item.kind, { what: 'the kind', choices: FEEDBACK_KINDS })
  const id = acceptName(item.id, { what: 'the id', most: deps.limits.idCharacters })
  const known = await findItem(deps, { kind, id })
  if (known !== undefined) return known
  throw new MemoryError('not-found', `there is no ${kind} "${id}"`)
}

async function findItem(
  { store, workspace, now }: WorkspaceDeps,
  { kind, id }: FeedbackItem,
): Promise<KnownItem | undefined> {
  if (kind === 'message') {
    const message = await store.findMessage(workspace, messageId(id))
    return message && { kind, id, given: message.importance ?? PLAIN_IMPORTANCE }
  }
  if (kind === 'fact') {
    const fact = await findFact(store, workspace, id)
    return fact && { kind, id: fact.key, given: PLAIN_IMPORTANCE }
  }
  if (kind === 'topic') {
    const given = await findTopicImportance({ store, workspace, now }, messageId(id))
    return given === undefined ? undefined : { kind, id, given }
  }
  return (await isThere({ store, workspace }, { kind, id }))
    ? { kind, id, given: PLAIN_IMPORTANCE }
    : undefined
}

async function isThere(
  { store, workspace }: Pick<WorkspaceDeps, 'store' | 'workspace'>,
  { kind, id }: FeedbackItem,
): Promise<boolean> {
  if (kind === 'note') return (await store.edits({ workspace, kinds: [NOTE], key: id })).length > 0
  // A summary is identified by its conversation.
  if (kind === 'summary')
    return (await store.findConversation({ workspace, conversation: conversationId(id) })) !== undefined
  if (kind === 'query') return (await store.findQuery(workspace, queryId(id))) !== undefined
  const [, document = '', version, index] = /^(.+):(\d+):(\d+)$/s.exec(id) ?? []
  const found = await store.findDocument({ workspace, document: documentId(document) })
  return found !== undefined && found.version === Number(version) && Number(index) < found.chunkCount
}

/** A topic is identified by its first message. */
async function findTopicImportance(
  { store, workspace, now }: Pick<WorkspaceDeps, 'store' | 'workspace' | 'now'>,
  id: MessageId,
): Promise<number | undefined> {
  const message = await store.findMessage(workspace, id)
  if (message === undefined) return undefined
  const key = { workspace, conversation: message.conversationId }
  const use = await readTopicUse({ store, options: TOPIC_CONSTANTS, now: now() }, key, message.position)
  return use?.givenImportance
}
