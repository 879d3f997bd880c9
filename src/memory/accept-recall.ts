import { definedFields } from '../domain/defined-fields.ts'
import { conversationId, messageId } from '../domain/ids.ts'
import { RECALL_KINDS } from '../domain/recall.ts'
import type { ResolvedRecall } from '../options/recall-options.ts'
import type { AcceptedRecall } from '../recall/accepted-recall.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { check } from '../schemas/check.ts'
import { type RecallOptions, recallOptions, recallQuery } from '../schemas/recall.ts'

/** With a token budget, this is only an upper limit: the budget decides. */
const MAX_WITHIN_BUDGET = 100

/** The query and its scope, validated and complete. */
export function acceptRecall(
  { workspace, limits }: WorkspaceDeps,
  options: ResolvedRecall,
  { text, request }: { readonly text: unknown; readonly request: RecallOptions },
): AcceptedRecall {
  const checked = check(recallOptions, request, { limits })
  const { budgetTokens, conversationId: one, conversationIds: many, ...rest } = checked
  const { kinds, limit, excludeMessageIds, topicIds, currentConversationId, questionMessageId, ...scope } =
    rest
  const conversations = one === undefined ? many : [...new Set([one, ...(many ?? [])])]
  const current = currentConversationId ?? (many === undefined ? one : undefined)
  return {
    workspace,
    text: check(recallQuery, text, { limits, what: 'the query' }),
    kinds: new Set(kinds ?? RECALL_KINDS),
    limit: limit ?? (budgetTokens === undefined ? options.limit : MAX_WITHIN_BUDGET),
    excludeMessageIds: new Set(excludeMessageIds),
    ...definedFields({
      conversations: conversations?.map(conversationId),
      currentConversationId: current === undefined ? undefined : conversationId(current),
      questionMessageId: questionMessageId === undefined ? undefined : messageId(questionMessageId),
      topics: topicIds?.map(messageId),
      budgetTokens,
    }),
    ...definedFields(scope),
  }
}
