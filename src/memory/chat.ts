// Connects a chat turn to its steps.

import type { AskedMemory, ChatParts } from '../chat/chat.ts'
import type { ChatEvent } from '../chat/chat-event.ts'
import type { OpenedFile } from '../chat/outline-file.ts'
import { buildContextWithRecall, type ContextDeps, type TurnRequest } from '../context/context.ts'
import type { Deriver } from '../derive/deriver.ts'
import { readFacts } from '../derive/facts/read-facts.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { Fact } from '../domain/fact.ts'
import { type ConversationKey, conversationId, messageId, newId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { RecallAnswer } from '../domain/recall.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { record, type WorkspaceDeps } from '../record/record.ts'
import type { ChatOptions } from '../schemas/chat.ts'
import type { NewMessage } from '../schemas/message.ts'
import { noteFromWeb } from './notes.ts'
import { readOpenPage } from './page-sources.ts'

export interface ChatHandleParts {
  readonly recorder: WorkspaceDeps
  readonly deriver: Deriver
  readonly options: ResolvedConfig
  readonly models: Models
  readonly contextMaker: ContextDeps
}

/** Lazy: nothing happens before the first event is read. */
export async function* chatIn(
  parts: ChatHandleParts,
  key: ConversationKey,
  request: ChatOptions,
): AsyncGenerator<ChatEvent, void> {
  const [{ chat }, { followTurn }] = await Promise.all([
    import('../chat/chat.ts'),
    import('./page-follow.ts'),
  ])
  const turn = { key, page: request.pageId, topics: parts.options.topics }
  yield* followTurn(parts.recorder, turn, chat(toChatParts(parts, key), request))
}

function toChatParts(parts: ChatHandleParts, key: ConversationKey): ChatParts {
  const { recorder, contextMaker, options, models } = parts
  const { store, workspace } = recorder
  return {
    ...definedFields({ languageModel: models.languageModel }),
    maxTokens: options.chat.maxAnswerTokens,
    record: (message: NewMessage) => recordOne(parts, key, message),
    has: async (id: string) =>
      (await store.findMessage(workspace, messageId(id)))?.conversationId === key.conversation,
    newAnswerId: () => newId(recorder.now()),
    last: (limit: number) => store.messages({ ...key, limit, direction: 'backwards' }),
    context: (request: TurnRequest) => buildContextWithRecall(contextMaker, key, request),
    hasWebSearch: models.webSearch !== undefined,
    standAlone: (text: string, signal?: AbortSignal) =>
      contextMaker.sources.standAlone({ text, ...key, ...definedFields({ signal }) }),
    searchWeb: (question: string, signal?: AbortSignal) =>
      noteFromWeb(parts, { conversation: key.conversation, question, ...definedFields({ signal }) }),
    recall: (asked: AskedMemory) => recallFor(contextMaker, key, asked),
    facts: (within: AskedMemory['within']) => factsWithin(recorder, key, within),
    openFile: (page: string | undefined) => readOpenFile(recorder, page ?? key.conversation),
    titleOf: async (id: string) =>
      (await store.findConversation({ workspace, conversation: conversationId(id) }))?.title,
  }
}

async function recordOne(
  { recorder, deriver }: ChatHandleParts,
  key: ConversationKey,
  message: NewMessage,
): Promise<{ readonly message: Message; readonly isNew: boolean }> {
  const result = await record(recorder, { conversation: key.conversation, messages: [message] })
  if (result.added > 0) await deriver.afterAppend(key, result)
  return { message: result.messages[0] as Message, isNew: result.added > 0 }
}

/** How many items are recalled for an answer, which quotes a few of them. */
const RECALLED = 8

/** How many messages after the question are excluded, such as earlier answers to it. */
const MAX_MESSAGES_SINCE = 200

/**
 * The user does not see the model's context, so messages in it may be recalled: only the question and later
 * messages are excluded.
 */
async function recallFor(
  { store, sources }: ContextDeps,
  key: ConversationKey,
  { question, text, within }: AskedMemory,
): Promise<Pick<RecallAnswer, 'items' | 'words'>> {
  const since = await store.messageIds({ ...key, after: question.position, limit: MAX_MESSAGES_SINCE })
  return sources.recall(text, {
    ...within,
    questionMessageId: question.id,
    limit: RECALLED,
    excludeMessageIds: [question.id, ...since],
  })
}

async function readOpenFile(recorder: WorkspaceDeps, page: string): Promise<OpenedFile | undefined> {
  const { store, workspace } = recorder
  const document = (await readOpenPage(recorder, page))?.document
  if (document === undefined) return undefined
  const read = await store.documentText({ workspace, document: document.id })
  return read && { ...document, text: read.text }
}

/** Facts that hold now. In a narrow scope, only those that were said there. */
async function factsWithin(
  { store, workspace, now }: WorkspaceDeps,
  { conversation }: ConversationKey,
  { scope = 'workspace' }: AskedMemory['within'],
): Promise<readonly Fact[]> {
  const facts = await readFacts(store, workspace, { asOf: now() })
  if (scope === 'workspace') return facts
  const wanted = new Set<string>(typeof scope === 'string' ? [conversation] : scope)
  return facts.filter(({ conversationIds }) => conversationIds.some((id) => wanted.has(id)))
}
