// One whole chat turn: record the question, build its context, stream the model's answer, record the answer.
//
//  1. The user's message is durable before anything else happens.
//  2. The answer is recorded however it ends: the reader leaves or stops it, or the model fails. Its metadata says how it
//     ended (src/domain/recollect-metadata.ts). An empty answer is not recorded.
//  3. Without a model, or if it fails before its first token, the answer quotes what was recalled
//     (answer-from-memory.ts). It says so, and is never treated as something that somebody said.
//  4. Messages never change: a regenerated answer or an edited question is a new message that replaces the earlier ones
//     (begin-turn.ts).

import type { ContextWithRecall, TurnRequest } from '../context/context.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError } from '../domain/errors.ts'
import type { Fact } from '../domain/fact.ts'
import { withoutInjected } from '../domain/injected.ts'
import { type Message, partsOf } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { RecallAnswer } from '../domain/recall.ts'
import {
  type AnswerEnding,
  type RecollectMetadata,
  withRecollectMetadata,
} from '../domain/recollect-metadata.ts'
import type { LanguageModel } from '../model/models.ts'
import { type ChatOptions, chatOptions } from '../schemas/chat.ts'
import { check } from '../schemas/check.ts'
import type { NewMessage } from '../schemas/message.ts'
import { answerFromMemory } from './answer-from-memory.ts'
import { beginTurn, type Turn, type TurnRecord } from './begin-turn.ts'
import type { AnswerRecorded, AnswerText, ChatEvent, ChatNotice, ContextRemembered } from './chat-event.ts'
import { asksForSummary, type OpenedFile } from './outline-file.ts'

/** Dependencies of a turn; see src/memory. */
export interface ChatParts extends TurnRecord {
  readonly languageModel?: LanguageModel
  /** 0 for the model's own limit. */
  readonly maxTokens: number
  readonly hasWebSearch: boolean
  newAnswerId(): string
  context(request: TurnRequest): Promise<ContextWithRecall>
  /** The question, rewritten if it is a follow-up. */
  standAlone(question: string, signal?: AbortSignal): Promise<string>
  /** Searches the web if the question asks for something recent; undefined if it does not. */
  searchWeb(question: string, signal?: AbortSignal): Promise<readonly Note[] | undefined>
  /** Recalls for a person, who may not have seen the messages in the model's context. */
  recall(asked: AskedMemory): Promise<Pick<RecallAnswer, 'items' | 'words'>>
  /** What is known and holds now, in the same scope. */
  facts(within: AskedMemory['within']): Promise<readonly Fact[]>
  /** The active file of the page. */
  openFile(pageId: string | undefined): Promise<OpenedFile | undefined>
  titleOf(conversation: string): Promise<string | undefined>
}

export interface AskedMemory {
  readonly question: Message
  /** The question, rewritten to stand alone. */
  readonly text: string
  /** Where to look. */
  readonly within: NonNullable<ContextWithRecall['within']>
}

export async function* chat(parts: ChatParts, request: ChatOptions): AsyncGenerator<ChatEvent, void> {
  acceptChat(request)
  const turn = await beginTurn(parts, request)
  const answerId = parts.newAnswerId()
  yield { type: 'recorded', message: turn.question, answerId }
  const notes = yield* searchWeb(parts, turn, request)
  if (request.signal?.aborted) return yield { type: 'answered', ending: 'stopped' }
  const started = performance.now()
  const context = await makeContext(parts, turn, request)
  if (context === undefined) return yield { type: 'answered', ending: 'stopped' }
  yield toRemembered(context, performance.now() - started)
  for (const text of context.answer?.notices ?? []) yield { type: 'notice', code: 'recall-degraded', text }
  yield* answer({ parts, turn, request, context, notes, answerId })
}

async function* searchWeb(
  parts: ChatParts,
  { question }: Turn,
  { webSearch = true, signal }: ChatOptions,
): AsyncGenerator<ChatEvent, readonly Note[]> {
  const asked = questionText(question)
  if (!webSearch || !parts.hasWebSearch || asked === '') return []
  try {
    const text = await parts.standAlone(asked, signal)
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

/** Undefined if the turn was aborted. */
async function makeContext(
  parts: ChatParts,
  { question, replaces }: Turn,
  request: ChatOptions,
): Promise<ContextWithRecall | undefined> {
  const { budgetTokens, window, system, memory, memoryTokens, now, scope, pageId, signal } = request
  const before = replaces === undefined ? undefined : Math.max(replaces.position, question.position + 1)
  try {
    return await parts.context(
      definedFields({
        ...{ budgetTokens, window, system, memory, memoryTokens, now, scope, pageId, signal, before },
      }),
    )
  } catch (error) {
    if (signal?.aborted) return undefined
    throw error
  }
}

async function toRemembered(
  { receipt, receiptSaved, answer: found, recallMs }: ContextWithRecall,
  contextMs: number,
): Promise<ContextRemembered> {
  return {
    type: 'remembered',
    receipt,
    isReceiptKept: await receiptSaved,
    contextMs,
    recalled: found?.items ?? [],
    ...definedFields({ question: found?.question, recallMs }),
  }
}

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
      yield* draft.write([await quoteMemory(answering)])
    }
    yield await keep()
  } finally {
    // The reader may leave at any time.
    if (!isKept) {
      draft.end('stopped')
      await keep()
    }
  }
}

/** Whether the turn is answered: the model wrote something, or the reader stopped it. */
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
  const failure = draft.failure ?? new TypeError(`${languageModel.name} returned an empty answer`)
  yield toNotice('model-failed', failure)
  draft.begin()
  return false
}

const NO_MODEL = {
  text: 'no language model is connected; the answer quotes memory',
  hint: 'set models.chat.url and models.chat.model, or start Ollama',
} as const

const NOTHING = { items: [], words: [] } as const

async function quoteMemory({ parts, turn, request, context, notes }: Answering): Promise<string> {
  const { question } = turn
  const said = questionText(question)
  const text = context.answer?.question.standalone ?? said
  const { within } = context
  const isOff = within === undefined || text === ''
  const [{ items, words }, facts] = isOff
    ? [NOTHING, []]
    : await Promise.all([parts.recall({ question, text, within }), parts.facts(within)])
  const others = new Set(items.flatMap(({ conversationId }) => conversationId ?? []))
  others.delete(question.conversationId)
  const file = !isOff && asksForSummary(said) ? await parts.openFile(request.pageId) : undefined
  const titles = await Promise.all([...others].map(async (id) => [id, await parts.titleOf(id)] as const))
  return answerFromMemory({
    question: said,
    hasModel: parts.languageModel !== undefined,
    items,
    words,
    facts,
    notes,
    ...definedFields({ file }),
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
  const recollectMetadata: RecollectMetadata = {
    ...made,
    ...(ending !== 'complete' && { ending }),
    ...definedFields({ receiptId, replaces }),
  }
  const metadata = withRecollectMetadata(undefined, recollectMetadata)
  const message: NewMessage = { id: answerId, role: 'assistant', content: text, metadata }
  const recorded = await parts.record(message)
  return { ...end, message: recorded.message, ...definedFields({ replaces: replaces?.id }) }
}

/** A failure as reported to the reader. */
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

/** The text of a question, without injected memory. */
function questionText({ content }: Pick<Message, 'content'>): string {
  const texts = partsOf(content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return withoutInjected(texts.join('\n\n')).trim()
}

/** An answer while it is streamed. */
class Draft {
  #text = ''
  #ending: AnswerEnding = 'complete'
  #failure: unknown

  get text(): string {
    return this.#text
  }

  get ending(): AnswerEnding {
    return this.#ending
  }

  /** The error, if it failed. */
  get failure(): unknown {
    return this.#failure
  }

  get isEmpty(): boolean {
    return this.#text.trim() === ''
  }

  /** Collects pieces and passes them on. */
  async *write(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<AnswerText, void> {
    for await (const text of pieces) {
      this.#text += text
      yield { type: 'text', text }
    }
  }

  /** Ends it early. */
  end(ending: Exclude<AnswerEnding, 'complete'>, failure?: unknown): void {
    this.#ending = ending
    this.#failure = failure
  }

  /** Starts over, for another source. */
  begin(): void {
    this.#text = ''
    this.#ending = 'complete'
    this.#failure = undefined
  }
}

/** Refuses a turn that makes no sense, before anything is recorded. */
function acceptChat(request: ChatOptions): void {
  check(chatOptions, request)
}
