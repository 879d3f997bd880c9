// One conversation as components see it. The server's messages are the source of truth; the running turn is
// shown on top of them until the server has it. If a turn breaks, the question can be sent again: it has an
// id from the start, so the server records it once, however often it is sent.

import { onReturn, randomId } from '../browser.ts'
import type { ChatCall } from '../client/chat-stream.ts'
import type { RecollectClient } from '../client/create-client.ts'
import { RequestError, toRequestError } from '../client/send-request.ts'
import {
  asUnsent,
  type ConversationState,
  type ConversationView,
  EMPTY,
  isAnswerKept,
  isQuestionKept,
  joinMessages,
  statusOf,
  type Turn,
  toView,
} from './conversation-view.ts'
import { type ChangeBus, type ChangeNotice, concerns, Live } from './live.ts'
import { MOST_MESSAGES, PAGE_MESSAGES, type ReadPage, readErased, readLater } from './read-messages.ts'
import { advance, endedAs, type Progress } from './run-turn.ts'

/** Options for every question: instructions and limits for the model. */
export type TurnOptions = Omit<ChatCall, 'message' | 'edits' | 'regenerate'>

/** The server notices a disconnect a moment later: when to read the partial answer that it recorded. */
const SETTLING_MS: readonly number[] = [0, 100, 300, 1000]
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

export class LiveConversation extends Live<ConversationView> {
  readonly #client: RecollectClient
  readonly #changes: ChangeBus
  readonly #id: string
  readonly #about: string
  #state: ConversationState = EMPTY
  #ends: (() => void)[] = []
  #underWay: AbortController | undefined
  #lastCall: { readonly call: ChatCall; readonly turn: Turn } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitMs = FIRST_WAIT_MS
  #readingError: RequestError | undefined

  constructor(client: RecollectClient, id: string, changes: ChangeBus) {
    super(toView(EMPTY))
    this.#client = client
    this.#changes = changes
    this.#id = id
    this.#about = `conversation ${id}`
  }

  protected begin(): void {
    this.#ends = [onReturn(() => void this.#lookAgain()), this.#changes.subscribe(this.#hear)]
    void this.refresh()
  }

  /** A running answer continues even without readers. */
  protected rest(): void {
    for (const end of this.#ends) end()
    this.#ends = []
    clearTimeout(this.#timer)
  }

  readonly #hear = (told: ChangeNotice): void => {
    // During a turn of this page, read only after its answer.
    if (concerns(told, this.#about) && this.#underWay === undefined) void this.#lookAgain()
  }

  /** Sends a message and streams the answer. Resolves at the end of the turn; errors are in `error`. */
  readonly send: (text: string, options?: TurnOptions) => Promise<void> = async (text, options = {}) => {
    const question = { id: randomId(), text, state: 'sending' } as const
    const call = { ...options, message: { id: question.id, content: text } }
    await this.#run(call, { question, ...this.#now() })
  }

  /** Edits an earlier message; the new one replaces it and everything after it. */
  readonly edit: (messageId: string, text: string, options?: TurnOptions) => Promise<void> = async (
    messageId,
    text,
    options = {},
  ) => {
    const question = { id: randomId(), text, state: 'sending' } as const
    const call = { ...options, message: { id: question.id, content: text }, edits: messageId }
    await this.#run(call, { question, ...this.#replacing(messageId), ...this.#now() })
  }

  /** Regenerates the last answer, or an earlier one, replacing everything after it. */
  readonly regenerate: (messageId?: string, options?: TurnOptions) => Promise<void> = async (
    messageId,
    options = {},
  ) => {
    const last = this.get().messages.findLast(({ role }) => role === 'assistant')?.id
    const call: ChatCall = { ...options, regenerate: messageId ?? true }
    await this.#run(call, { ...this.#replacing(messageId ?? last), ...this.#now() })
  }

  /** Stops the running answer; the text so far is kept. */
  readonly stop: () => void = () => this.#underWay?.abort()

  /** Retries what failed. */
  readonly retry: () => Promise<void> = async () => {
    const last = this.#lastCall
    const shown = this.get().messages.at(-1)
    if (last === undefined || this.#state.error === undefined) await this.refresh()
    else if (shown?.role === 'assistant' && shown.state === 'failed' && shown.position !== undefined)
      await this.regenerate(shown.id)
    else await this.#run(last.call, last.turn)
  }

  readonly dismissError: () => void = () => this.#show({ error: undefined })

  /** Reads messages that the server has and this page does not. */
  readonly refresh: () => Promise<void> = () => this.#read(() => this.#readLater())

  /** The same; if there are no new messages, checks whether any of the loaded ones were erased. */
  #lookAgain(): Promise<void> {
    return this.#read(async () => {
      const before = this.#state.kept.at(-1)?.position
      await this.#readLater()
      if (this.#state.kept.at(-1)?.position === before) await this.#readErased()
    })
  }

  async #read(read: () => Promise<void>): Promise<void> {
    clearTimeout(this.#timer)
    try {
      await read()
      this.#waitMs = FIRST_WAIT_MS
      if (this.#state.status === 'loading') this.#show({ status: 'ready' })
      // Only clears a read error: an error of a turn stays until the user resolves it.
      if (this.#state.error === this.#readingError) this.#show({ error: undefined })
    } catch (error) {
      this.#failReading(toRequestError(error))
    }
  }

  /** Loads the page before the first loaded message. */
  readonly loadEarlier: () => Promise<void> = () => this.#loadBefore(PAGE_MESSAGES)

  /** Loads everything from this position on. */
  readonly loadBackTo: (position: number) => Promise<void> = async (position) => {
    while (!this.#state.isLoadingEarlier && this.#state.hasEarlier) {
      const [first] = this.#state.kept
      const missing = (first?.position ?? 0) - position
      if (missing <= 0 || this.#state.error !== undefined) return
      await this.#loadBefore(Math.min(missing + PAGE_MESSAGES, MOST_MESSAGES))
    }
  }

  async #loadBefore(limit: number): Promise<void> {
    const [first] = this.#state.kept
    if (first === undefined || !this.#state.hasEarlier || this.#state.isLoadingEarlier) return
    this.#show({ isLoadingEarlier: true })
    try {
      const page = { before: first.position, limit }
      const { messages, next } = await this.#client.conversation(this.#id).messages(page)
      const kept = joinMessages(this.#state.kept, messages)
      this.#show({ kept, hasEarlier: next !== null, isLoadingEarlier: false })
    } catch (error) {
      this.#show({ error: toRequestError(error), isLoadingEarlier: false })
    }
  }

  #show(change: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...change }
    this.set(toView(this.#state))
  }

  #now(): Pick<Turn, 'startedAt' | 'after'> {
    return { startedAt: new Date().toISOString(), after: this.#state.kept.at(-1)?.position ?? -1 }
  }

  #replacing(messageId: string | undefined): Pick<Turn, 'replacesFrom'> {
    const position = this.#state.kept.find(({ id }) => id === messageId)?.position
    return position === undefined ? {} : { replacesFrom: position }
  }

  async #readLater(): Promise<void> {
    await this.#take(readLater(this.#client.conversation(this.#id), this.#state.kept.at(-1)))
  }

  async #readErased(): Promise<void> {
    await this.#take(readErased(this.#client.conversation(this.#id), this.#state.kept))
  }

  async #take(pages: AsyncIterable<ReadPage | 'gone'>): Promise<void> {
    for await (const page of pages) {
      // Erased elsewhere: its text must not be shown anywhere.
      if (page === 'gone') this.#show({ kept: [], hasEarlier: false })
      else {
        const { messages, ...known } = page
        this.#show({ ...known, kept: joinMessages(this.#state.kept, messages) })
      }
    }
  }

  #failReading(error: RequestError): void {
    this.#readingError = error
    this.#show({ error })
    if (!error.isPassing || !this.isRead) return
    this.#timer = setTimeout(() => void this.refresh(), this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS)
  }

  async #run(call: ChatCall, turn: Turn): Promise<void> {
    if (this.#underWay !== undefined) {
      const hint = 'stop it first, or wait until it is complete'
      this.#show({
        error: new RequestError('conflict', 'the previous answer is still being streamed', { hint }),
      })
      return
    }
    const underWay = new AbortController()
    this.#underWay = underWay
    this.#lastCall = { call, turn }
    this.#show({ turn, status: 'sending', error: undefined, notices: [], remembered: undefined })
    const { error } = await this.#follow(call, turn, underWay.signal)
    await this.#settle(underWay.signal.aborted)
    this.#underWay = undefined
    this.#show({ status: 'ready', error })
    this.#changes.publish({ about: this.#about }, this.#hear)
  }

  /** Shows the answer while it is streamed, until it ends in any way. */
  async #follow(
    call: ChatCall,
    turn: Turn,
    signal: AbortSignal,
  ): Promise<{ error: RequestError | undefined }> {
    let progress: Progress = { turn, notices: [] }
    try {
      // The answer depends on the page: what was just changed there counts.
      await this.#changes.save(`page ${call.pageId ?? this.#id}`)
      for await (const part of await this.#client.conversation(this.#id).chat(call, { signal })) {
        progress = advance(progress, part)
        this.#showProgress(progress)
      }
      return { error: progress.error }
    } catch (cause) {
      const ending = signal.aborted ? 'stopped' : 'failed'
      this.#show({ turn: asUnsent(endedAs(progress.turn, ending)) })
      return { error: signal.aborted ? undefined : toRequestError(cause) }
    }
  }

  #showProgress({ turn, notices, remembered }: Progress): void {
    const isQuestionNew = turn.question?.state === 'kept' && this.#state.turn?.question?.state === 'sending'
    if (isQuestionNew) this.#changes.publish({ about: this.#about }, this.#hear)
    this.#show({ turn, notices, remembered, status: statusOf(turn) })
  }

  /** Replaces the shown turn with what the server recorded. */
  async #settle(isStopped: boolean): Promise<void> {
    for (const waitMs of isStopped ? SETTLING_MS : SETTLING_MS.slice(0, 1)) {
      await new Promise((wake) => setTimeout(wake, waitMs))
      try {
        await this.#readLater()
      } catch {
        // The turn stays as shown; the next successful read shows what was recorded.
        return
      }
      if (this.#isSettled()) return this.#show({ turn: undefined })
    }
  }

  #isSettled(): boolean {
    const { kept, turn } = this.#state
    if (turn === undefined) return true
    return isQuestionKept(turn, kept) && isAnswerKept(turn, kept)
  }
}
