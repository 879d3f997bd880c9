// One whole turn for every door: the question is recorded, what matters to it is put together, the model answers in
// pieces, the answer is recorded.
//
//  1. What the user said is durable before anything else happens.
//  2. What was answered is kept, whatever ends the answer: a reader who leaves or stops it, a model that breaks. Its
//     stamp says so (src/domain/recollect-metadata.ts). Where not a word came, nothing is recorded.
//  3. A model that is missing, or fails before its first word, costs quality, never the answer: it is then made from
//     what was recalled (answer-from-memory.ts), says so, and is never taken for something that somebody said.
//  4. Messages never change: another answer, or a question in other words, is a new message that stands in for the
//     earlier ones (begin-turn.ts).

import type { ContextWithRecall, TurnRequest } from '../context/context.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError } from '../domain/errors.ts'
import type { Message, NewMessage } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { Recalled } from '../domain/recall.ts'
import { type RecollectMetadata, withRecollectMetadata } from '../domain/recollect-metadata.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { answerFromMemory } from './answer-from-memory.ts'
import { beginTurn, type Turn, type TurnRecord } from './begin-turn.ts'
import type { AnswerRecorded, ChatEvent, ChatNotice, ContextRemembered } from './chat-event.ts'
import { acceptChat, type ChatOptions } from './chat-request.ts'
import { Draft } from './draft.ts'
import { questionText } from './question-text.ts'

/** What a turn is made of; the memory hands it in. */
export interface ChatParts extends TurnRecord {
  readonly languageModel?: LanguageModel
  /** 0: what the model allows. */
  readonly maxTokens: number
  newAnswerId(): string
  context(request: TurnRequest): Promise<ContextWithRecall>
  /** Where a question asks for something recent and the web may be searched; undefined for any other. */
  searchWeb(question: string, signal?: AbortSignal): Promise<readonly Note[] | undefined>
  /** What is known about a question, whether the reader has seen it or not. */
  recall(asked: AskedMemory): Promise<readonly Recalled[]>
  titleOf(conversation: string): Promise<string | undefined>
}

export interface AskedMemory {
  readonly question: Message
  /** What is asked, standing alone. */
  readonly text: string
}

export async function* chat(parts: ChatParts, request: ChatOptions): AsyncGenerator<ChatEvent, void> {
  acceptChat(request)
  const turn = await beginTurn(parts, request)
  const answerId = parts.newAnswerId()
  yield { type: 'recorded', message: turn.question, answerId }
  const notes = yield* searchWeb(parts, turn, request)
  if (request.signal?.aborted) return yield { type: 'answered', ending: 'stopped' }
  const context = await makeContext(parts, turn, request)
  if (context === undefined) return yield { type: 'answered', ending: 'stopped' }
  yield toRemembered(context)
  for (const text of context.answer?.notices ?? []) yield { type: 'notice', code: 'recall-degraded', text }
  yield* answer({ parts, turn, request, context, notes, answerId })
}

async function* searchWeb(
  parts: ChatParts,
  { question }: Turn,
  { webSearch = true, signal }: ChatOptions,
): AsyncGenerator<ChatEvent, readonly Note[]> {
  const text = questionText(question)
  if (!webSearch || text === '') return []
  try {
    const notes = await parts.searchWeb(text, signal)
    if (notes === undefined) return []
    yield { type: 'searched', question: text, notes }
    return notes
  } catch (error) {
    if (signal?.aborted) return []
    yield toNotice('search-failed', error)
    return []
  }
}

/** Undefined where the reader left meanwhile. */
async function makeContext(
  parts: ChatParts,
  { question, replaces }: Turn,
  request: ChatOptions,
): Promise<ContextWithRecall | undefined> {
  const { budgetTokens, window, system, memory, memoryTokens, signal } = request
  const before = replaces === undefined ? undefined : Math.max(replaces.position, question.position + 1)
  try {
    return await parts.context(
      definedFields({ budgetTokens, window, system, memory, memoryTokens, signal, before }),
    )
  } catch (error) {
    if (signal?.aborted) return undefined
    throw error
  }
}

const toRemembered = async ({
  receipt,
  receiptSaved,
  answer: found,
}: ContextWithRecall): Promise<ContextRemembered> => ({
  type: 'remembered',
  receipt,
  isReceiptKept: await receiptSaved,
  recalled: found?.items ?? [],
  ...definedFields({ question: found?.question }),
})

interface Answering {
  readonly parts: ChatParts
  readonly turn: Turn
  readonly request: ChatOptions
  readonly context: ContextWithRecall
  readonly notes: readonly Note[]
  readonly answerId: string
}

async function* answer(answering: Answering): AsyncGenerator<ChatEvent, void> {
  const draft = new Draft()
  let made: RecollectMetadata = definedFields({ model: answering.parts.languageModel?.name })
  let isKept = false
  const keep = (): Promise<AnswerRecorded> => {
    isKept = true
    return keepAnswer(answering, draft, made)
  }
  try {
    const isAnswered = yield* askModel(answering, draft)
    if (!isAnswered) {
      made = { isFromMemory: true }
      yield* draft.write([await tellMemory(answering)])
    }
    yield await keep()
  } finally {
    // Who reads may leave at any piece.
    if (!isKept) {
      draft.end('stopped')
      await keep()
    }
  }
}

/** Whether the model had a word to say, or the reader left before: nothing else is to answer then. */
async function* askModel(
  { parts, request, context }: Answering,
  draft: Draft,
): AsyncGenerator<ChatEvent, boolean> {
  const { languageModel } = parts
  if (languageModel === undefined) {
    yield { type: 'notice', code: 'no-model', ...NO_MODEL }
    return false
  }
  const { temperature, signal } = request
  const maxTokens = request.maxTokens ?? (parts.maxTokens > 0 ? parts.maxTokens : undefined)
  const asked = { messages: context.messages, ...definedFields({ maxTokens, temperature, signal }) }
  try {
    yield* draft.write(languageModel.stream(asked))
  } catch (error) {
    if (signal?.aborted) draft.end('stopped')
    else draft.end('failed', error)
  }
  if (!draft.isEmpty || draft.ending === 'stopped') return true
  const failure = draft.failure ?? new TypeError(`${languageModel.name} answered nothing`)
  yield toNotice('model-failed', failure)
  draft.begin()
  return false
}

const NO_MODEL = {
  text: 'no language model is connected: the answer is made from memory',
  hint: 'set models.chat.url and models.chat.model, or start Ollama',
} as const

async function tellMemory({ parts, turn, request, context, notes }: Answering): Promise<string> {
  const { question } = turn
  const said = questionText(question)
  const text = context.answer?.question.standalone ?? said
  const items = request.memory === false || text === '' ? [] : await parts.recall({ question, text })
  const others = new Set(items.flatMap(({ conversationId }) => conversationId ?? []))
  others.delete(question.conversationId)
  const titles = await Promise.all([...others].map(async (id) => [id, await parts.titleOf(id)] as const))
  return answerFromMemory({
    question: said,
    hasModel: parts.languageModel !== undefined,
    items,
    notes,
    titles: new Map(titles.flatMap(([id, title]) => (title === undefined ? [] : [[id, title] as const]))),
    currentConversationId: question.conversationId,
  })
}

async function keepAnswer(
  { parts, turn: { replaces }, context, answerId }: Answering,
  draft: Draft,
  made: RecollectMetadata,
): Promise<AnswerRecorded> {
  const { text, ending, failure, isEmpty } = draft
  const end = {
    type: 'answered' as const,
    ending,
    ...definedFields({ model: made.model }),
    ...(failure !== undefined && { error: toFailure(failure) }),
  }
  if (isEmpty) return end
  const receiptId = (await context.receiptSaved) ? context.receipt.id : undefined
  const stamp: RecollectMetadata = {
    ...made,
    ...(ending !== 'complete' && { ending }),
    ...definedFields({ receiptId, replaces }),
  }
  const metadata = withRecollectMetadata(undefined, stamp)
  const message: NewMessage = { id: answerId, role: 'assistant', content: text, metadata }
  const recorded = await parts.record(message)
  return { ...end, message: recorded.message, ...definedFields({ replaces: replaces?.id }) }
}

/** What a reader is told of a failure. */
function toFailure(error: unknown): NonNullable<AnswerRecorded['error']> {
  if (isMemoryError(error)) {
    const { code, message, hint } = error
    return { code, message, ...definedFields({ hint }) }
  }
  return { code: 'model-failed', message: error instanceof Error ? error.message : String(error) }
}

function toNotice(code: ChatNotice['code'], error: unknown): ChatNotice {
  const { message, hint } = toFailure(error)
  return { type: 'notice', code, text: message, ...definedFields({ hint }) }
}
