import { z } from 'zod'
import { RECALL_KINDS } from '../domain/recall.ts'
import { SCOPE_NAMES } from '../domain/scope.ts'
import { refuse } from './check.ts'
import { filledText, type Input, id, ids, limit, list, MAX_LIST_LIMIT, moment, object } from './values.ts'

/** A pasted page can be searched for; a book cannot. */
const MAX_QUERY_CHARACTERS = 10_000

export const recallQuery = filledText(MAX_QUERY_CHARACTERS)

const budgetTokens = z.int().min(1)

/** What recall, a context and a chat turn have in common: when and where the question is asked. */
export const questionFields = {
  /** When the question is asked: "yesterday" and "in August" refer to it. @default the current time */
  now: moment.optional().meta({
    description: 'When the question is asked: "yesterday" and "in August" refer to it. Default: now.',
  }),
  /**
   * Where to look: this conversation, the conversations of the page, the workspace, or a list of conversation ids.
   * @default what is set for the conversation or the workspace; otherwise the workspace, except that a page and a conversation with its own documents are searched first
   */
  scope: z
    .union([z.enum(SCOPE_NAMES), ids])
    .optional()
    .meta({
      description: 'Where to look: `conversation`, `page`, `workspace`, or a list of conversation ids.',
    }),
  /** The page on which the question is asked. @default the page with the id of the conversation */
  pageId: id.optional().meta({ description: 'The page on which the question is asked.' }),
}

/** What a recall takes over HTTP as well. */
const fields = {
  ...questionFields,
  /** One conversation. @default the whole workspace, without conversations whose memory is off */
  conversationId: id.optional(),
  /** Several conversations. */
  conversationIds: ids.optional(),
  /** Where the question is asked: what was said there ranks first, and follow-ups refer to it. @default conversationId */
  currentConversationId: id
    .optional()
    .meta({ description: 'Where the question is asked. Follow-up questions refer to what was said there.' }),
  /** Only what was said in these topics, by their ids. */
  topicIds: ids.optional(),
  /** @default all */
  kinds: list(z.enum(RECALL_KINDS)).optional(),
  /** Maximum number of items. @default the option recall.limit, or as many as fit into budgetTokens */
  limit: limit.optional(),
  /** Maximum tokens of all texts together. */
  budgetTokens: budgetTokens.optional().meta({ description: 'Maximum tokens of all texts together.' }),
  /** Only what was said at or after this moment. */
  from: moment.optional(),
  /** Only what was said before this moment. */
  to: moment.optional(),
  /** As things were known then: nothing said later, and facts as they held. */
  asOf: moment.optional(),
  /** The document whose chunks rank first. @default the active file of the page, for one conversation */
  activeFile: id.optional().meta({ description: 'The document whose chunks rank first.' }),
  /** Messages that the reader has already seen; they are not recalled. */
  excludeMessageIds: list(z.string())
    .check((payload) => {
      if (payload.value.length > MAX_LIST_LIMIT)
        refuse(payload, `has ${payload.value.length} items; the maximum is ${MAX_LIST_LIMIT}`, {
          isTooLarge: true,
        })
    })
    .optional()
    .meta({ description: 'Messages that are not recalled.' }),
}

function checkSpan({
  value,
  ...payload
}: z.core.ParsePayload<{ from?: Date | undefined; to?: Date | undefined }>): void {
  const { from, to } = value
  if (from === undefined || to === undefined || from <= to) return
  refuse({ value, ...payload }, `is ${to.toISOString()}, which is before from (${from.toISOString()})`, {
    hint: 'from is included, to is not',
    path: ['to'],
  })
}

export const recallOptions = object('the options of a recall', {
  ...fields,
  /** The recorded message that asks: it is not recalled. */
  questionMessageId: id.optional(),
  /** Conversations to which the active file is attached, if it is seen only because it is the active file of the page. */
  activeFileConversationIds: ids.optional(),
  signal: z.instanceof(AbortSignal).optional(),
}).check(checkSpan)

/** Where to look, and how much to return. */
export type RecallOptions = Input<typeof recallOptions>

/** Over HTTP, where the query is part of the body. */
export const recallRequest = object('the request', { query: recallQuery, ...fields })
  .check(checkSpan)
  .meta({ id: 'RecallRequest', title: 'the request' })

export type RecallRequest = Input<typeof recallRequest>

export const explainRequest = object('the request', {
  query: recallQuery,
  ...fields,
  messageId: id.optional(),
})
  .check(checkSpan)
  .meta({
    id: 'ExplainRequest',
    title: 'the request',
    description: 'With messageId: what became of that message.',
  })

export type ExplainRequest = Input<typeof explainRequest>
