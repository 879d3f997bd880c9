import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, conversationId, messageId } from '../domain/ids.ts'
import { RECALL_KINDS } from '../domain/recall.ts'
import type { ScopeName } from '../domain/scope.ts'
import type { ResolvedRecall } from '../options/recall-options.ts'
import type { AcceptedRecall } from '../recall/accepted-recall.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { check } from '../schemas/check.ts'
import { type RecallOptions, recallOptions, recallQuery } from '../schemas/recall.ts'
import { findPageConversations, readOpenPage } from './page-sources.ts'

/** With a token budget, this is only an upper limit: the budget decides. */
const MAX_WITHIN_BUDGET = 100

/** The query and its scope, validated and complete. */
export async function acceptRecall(
  deps: WorkspaceDeps,
  options: ResolvedRecall,
  { text, request }: { readonly text: unknown; readonly request: RecallOptions },
): Promise<AcceptedRecall> {
  const { workspace, limits } = deps
  const checked = check(recallOptions, request, { limits })
  const { budgetTokens, kinds, limit, excludeMessageIds, topicIds, questionMessageId, ...rest } = checked
  const { from, to, asOf, now, signal } = rest
  const where: Where = definedFields(rest)
  const query = check(recallQuery, text, { limits, what: 'the query' })
  const { conversations, current } = await findConversations(deps, where)
  return {
    workspace,
    text: query,
    kinds: new Set(kinds ?? RECALL_KINDS),
    limit: limit ?? (budgetTokens === undefined ? options.limit : MAX_WITHIN_BUDGET),
    excludeMessageIds: new Set(excludeMessageIds),
    documentsOf: current === undefined ? (conversations ?? []) : [current],
    ...(await findActiveFile(deps, where)),
    ...definedFields({
      conversations,
      currentConversationId: current,
      questionMessageId: questionMessageId === undefined ? undefined : messageId(questionMessageId),
      topics: topicIds?.map(messageId),
      budgetTokens,
      ...{ from, to, asOf, now, signal },
    }),
  }
}

type Where = Pick<
  RecallOptions,
  | 'conversationId'
  | 'conversationIds'
  | 'currentConversationId'
  | 'scope'
  | 'pageId'
  | 'activeFile'
  | 'activeFileConversationIds'
>

interface Conversations {
  /** Undefined for all. */
  readonly conversations: readonly ConversationId[] | undefined
  /** Where the question is asked. */
  readonly current: ConversationId | undefined
}

async function findConversations(deps: WorkspaceDeps, where: Where): Promise<Conversations> {
  const { conversationId: one, conversationIds: many, currentConversationId, scope } = where
  const asked = currentConversationId ?? (many === undefined ? one : undefined)
  const current = asked === undefined ? undefined : conversationId(asked)
  if (typeof scope === 'string')
    return { conversations: await findNamed(deps, scope, { current, page: where.pageId }), current }
  const named = scope ?? (one === undefined ? many : [...new Set([one, ...(many ?? [])])])
  return { conversations: named?.map((id) => conversationId(id)), current }
}

async function findNamed(
  deps: WorkspaceDeps,
  scope: ScopeName,
  { current, page }: { readonly current: ConversationId | undefined; readonly page: string | undefined },
): Promise<readonly ConversationId[] | undefined> {
  if (scope === 'workspace') return undefined
  if (scope === 'conversation') return [current ?? missing('conversation', 'conversationId')]
  return findPageConversations(deps, page ?? current ?? missing('page', 'pageId'))
}

function missing(scope: ScopeName, field: string): never {
  throw new MemoryError('invalid-input', `the scope "${scope}" needs ${field}`, {
    hint: `pass ${field}, or use the scope "workspace"`,
  })
}

/** The active file of the page, unless the call names another one. */
async function findActiveFile(
  deps: WorkspaceDeps,
  { activeFile, activeFileConversationIds: ids, pageId }: Where,
): Promise<Pick<AcceptedRecall, 'activeFile' | 'activeFileOf'>> {
  if (activeFile !== undefined || pageId === undefined)
    return definedFields({ activeFile, activeFileOf: ids?.map((id) => conversationId(id)) })
  const open = await readOpenPage(deps, pageId)
  return definedFields({ activeFile: open?.activeFile?.id, activeFileOf: open?.document?.conversationIds })
}
