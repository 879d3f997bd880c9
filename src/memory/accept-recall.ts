import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type ConversationId, messageId } from '../domain/ids.ts'
import { RECALL_KINDS, type RecallOptions } from '../domain/recall.ts'
import type { ResolvedRecall } from '../options/recall-options.ts'
import type { AcceptedRecall } from '../recall/accepted-recall.ts'
import { acceptConversationId, acceptName } from '../record/accept-id.ts'
import { acceptText } from '../record/accept-json.ts'
import { acceptLimit } from '../record/accept-limit.ts'
import { acceptMoment } from '../record/accept-moment.ts'
import { acceptChoice, acceptObject } from '../record/accept-object.ts'
import type { WorkspaceDeps } from '../record/record.ts'

/** A pasted page can be searched for; a book cannot. */
const MOST_CHARACTERS = 10_000
/** With a budget, as many as fit. */
const MOST_WITHIN_BUDGET = 100

const FIELDS: readonly (keyof RecallOptions)[] = [
  'conversationId',
  'conversationIds',
  'currentConversationId',
  'topicIds',
  'kinds',
  'limit',
  'budgetTokens',
  'from',
  'to',
  'asOf',
  'activeFile',
  'excludeMessageIds',
  'questionMessageId',
  'signal',
]

/** A question and where to look for it, checked and complete. */
export function acceptRecall(
  { workspace, limits }: WorkspaceDeps,
  options: ResolvedRecall,
  { text, request }: { readonly text: unknown; readonly request: RecallOptions },
): AcceptedRecall {
  acceptObject(request, { what: 'a recall', fields: FIELDS })
  const moment = (field: 'from' | 'to' | 'asOf') =>
    request[field] === undefined ? undefined : acceptMoment(request[field], field)
  const name = (what: string) => ({ what, most: limits.idCharacters })
  const [from, to] = [moment('from'), moment('to')]
  acceptSpan(from, to)
  return {
    workspace,
    text: acceptQuestion(text),
    kinds: new Set(acceptList(request.kinds, 'kinds')?.map(acceptKind) ?? RECALL_KINDS),
    limit: acceptLimit(
      request.limit,
      request.budgetTokens === undefined ? options.limit : MOST_WITHIN_BUDGET,
    ),
    excludeMessageIds: new Set(acceptList(request.excludeMessageIds, 'excludeMessageIds')?.map(String)),
    ...definedFields({
      conversations: acceptConversations(request, (id) => acceptConversationId(id, limits)),
      currentConversationId: acceptAskedIn(request, (id) => acceptConversationId(id, limits)),
      questionMessageId:
        request.questionMessageId === undefined
          ? undefined
          : messageId(acceptName(request.questionMessageId, name('the id of the message that asks'))),
      topics: acceptList(request.topicIds, 'topicIds')?.map((id) =>
        messageId(acceptName(id, name('the id of a topic'))),
      ),
      budgetTokens: acceptBudget(request.budgetTokens),
      from,
      to,
      asOf: moment('asOf'),
      activeFile:
        request.activeFile === undefined ? undefined : acceptName(request.activeFile, name('activeFile')),
      signal: request.signal,
    }),
  }
}

const acceptKind = (kind: unknown) => acceptChoice(kind, { what: 'a kind', choices: RECALL_KINDS })

function acceptQuestion(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '') {
    throw new MemoryError('invalid-input', 'a question must be a text that is not empty', {
      hint: 'ask as you would ask a person: What is the name of our cat?',
    })
  }
  if (text.length > MOST_CHARACTERS) {
    throw new MemoryError(
      'too-large',
      `a question has at most ${MOST_CHARACTERS} characters, not ${text.length}`,
      { hint: 'ask for the part that matters; a whole document can be given to the memory instead' },
    )
  }
  acceptText(text, 'a question')
  return text
}

function acceptConversations(
  { conversationId, conversationIds }: RecallOptions,
  accept: (id: unknown) => ConversationId,
): readonly ConversationId[] | undefined {
  const many = acceptList(conversationIds, 'conversationIds')
  if (conversationId === undefined) return many?.map(accept)
  return [...new Set([accept(conversationId), ...(many?.map(accept) ?? [])])]
}

function acceptAskedIn(
  { currentConversationId, conversationId, conversationIds }: RecallOptions,
  accept: (id: unknown) => ConversationId,
): ConversationId | undefined {
  const only = conversationIds === undefined ? conversationId : undefined
  const id = currentConversationId ?? only
  return id === undefined ? undefined : accept(id)
}

function acceptList<T>(list: readonly T[] | undefined, field: string): readonly T[] | undefined {
  if (list === undefined || (Array.isArray(list) && list.length <= 10_000)) return list
  throw new MemoryError('invalid-input', `${field} must be a list of at most 10,000`, {
    hint: `such as ${field}: ["…"]`,
  })
}

function acceptSpan(from: Date | undefined, to: Date | undefined): void {
  if (from === undefined || to === undefined || from <= to) return
  throw new MemoryError(
    'invalid-input',
    `from is ${from.toISOString()}, and to is ${to.toISOString()}, which was earlier`,
    { hint: 'give from as the moment before to; to itself is not in the span' },
  )
}

function acceptBudget(budgetTokens: unknown): number | undefined {
  if (budgetTokens === undefined) return undefined
  if (typeof budgetTokens === 'number' && Number.isSafeInteger(budgetTokens) && budgetTokens > 0) {
    return budgetTokens
  }
  throw new MemoryError('invalid-input', `a budget cannot be ${JSON.stringify(budgetTokens)} tokens`, {
    hint: 'give budgetTokens as a whole number above 0',
  })
}
