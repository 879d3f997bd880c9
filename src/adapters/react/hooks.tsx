'use client'

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ActiveFile, JsonValue, RecallAnswer, Topic, TopicChanges } from '../../index.ts'
import type { Wire } from '../../schemas/wire.ts'
import type { TopicCalls } from './client/conversation-calls.ts'
import { createClient, type RecallCall, type RecollectClient } from './client/create-client.ts'
import type { ClientOptions } from './client/send-request.ts'
import type { ConversationView } from './live/conversation-view.ts'
import { type ChangeBus, cacheOf, type Live, LiveRead, type ReadState } from './live/live.ts'
import { LiveConversation, type TurnOptions } from './live/live-conversation.ts'
import { LivePage, type PageView } from './live/live-page.ts'

const ClientContext = createContext<RecollectClient | undefined>(undefined)

export interface RecollectProviderProps extends Omit<ClientOptions, 'key'> {
  /**
   * An API key, or a function that returns one for each request. Not `key`, which React reserves. @default
   * none
   */
  readonly apiKey?: NonNullable<ClientOptions['key']>
  /** A custom client; the other properties are then ignored. */
  readonly client?: RecollectClient
  readonly children?: ReactNode
}

/** Sets the server for the hooks below it. */
export function RecollectProvider(props: RecollectProviderProps): ReactNode {
  const { client, children, apiKey, ...options } = props
  const { url, workspace, headers, fetch, retries, retryWaitMs } = options
  // biome-ignore lint/correctness/useExhaustiveDependencies: `options` is new with each rendering, its parts are not
  const made = useMemo(
    () => client ?? createClient({ ...options, ...(apiKey && { key: apiKey }) }),
    [client, url, apiKey, workspace, headers, fetch, retries, retryWaitMs],
  )
  return <ClientContext.Provider value={made}>{children}</ClientContext.Provider>
}

let ownServer: RecollectClient | undefined

/** The client of the nearest provider; without one, a client for the page's own origin. */
export function useRecollect(): RecollectClient {
  const given = useContext(ClientContext)
  ownServer ??= createClient()
  return given ?? ownServer
}

export interface UsedRemote<T> extends ReadState<T>, Pick<LiveRead<T>, 'refresh'> {
  /**
   * Optimistic update: shows the result of a change before the server confirms it; `refresh` reads the actual
   * value.
   */
  readonly assume: (change: (value: T) => T) => void
}

export interface RemoteSource<T> {
  /** Cache key with everything the value depends on: values with the same name are read once and shared. */
  readonly name: string
  readonly read: (client: RecollectClient, signal: AbortSignal) => Promise<T>
  /** Read again when one of these changes: `conversation trip`, `page sales`, or a custom name. */
  readonly about?: readonly string[]
}

/** Any value read from the server; read again when the page becomes visible or the network is back. */
export function useRemote<T>({ name, read, about = [] }: RemoteSource<T>): UsedRemote<T> {
  const [live, state] = useLive<ReadState<T>, LiveRead<T>>({
    name,
    make: (client, changes) => new LiveRead({ read: (signal) => read(client, signal), about }, changes),
  })
  return useMemo(
    () => ({ ...state, refresh: live.refresh, assume: (change) => live.assume(change) }),
    [live, state],
  )
}

/** Identifies a live value in the cache, and creates it if missing. */
interface LiveSource<L> {
  readonly name: string
  readonly make: (client: RecollectClient, changes: ChangeBus) => L
}

/** A live value of the client's cache, and its current state. Components with the same name share it. */
function useLive<T, L extends Live<T>>({ name, make }: LiveSource<L>): readonly [L, T] {
  const client = useRecollect()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is made depends on its name alone
  const live = useMemo(() => {
    const cache = cacheOf(client)
    return cache.take<L>(name, () => make(client, cache.changes))
  }, [client, name])
  return [live, useSyncExternalStore<T>(live.subscribe, live.get, live.getFirst)]
}

export interface UsedConversation
  extends ConversationView,
    Pick<
      LiveConversation,
      | 'send'
      | 'edit'
      | 'regenerate'
      | 'stop'
      | 'retry'
      | 'dismissError'
      | 'refresh'
      | 'loadEarlier'
      | 'loadBackTo'
    > {}

/**
 * A conversation: its messages, the answer as it is streamed, and actions. It need not exist yet: the first
 * message creates it. Components with the same id share its state, and tabs stay in sync. `turn` is sent with every
 * question: the page, instructions, limits.
 */
export function useConversation(conversationId: string, turn: TurnOptions = NO_OPTIONS): UsedConversation {
  const [live, view] = useLive<ConversationView, LiveConversation>({
    name: `conversation ${conversationId}`,
    make: (client, changes) => new LiveConversation(client, conversationId, changes),
  })
  const always = useStable(turn)
  return useMemo(() => {
    const { stop, retry, dismissError, refresh, loadEarlier, loadBackTo } = live
    return {
      ...view,
      ...{ stop, retry, dismissError, refresh, loadEarlier, loadBackTo },
      send: (text, options) => live.send(text, { ...always, ...options }),
      edit: (id, text, options) => live.edit(id, text, { ...always, ...options }),
      regenerate: (id, options) => live.regenerate(id, { ...always, ...options }),
    }
  }, [live, view, always])
}

const NO_OPTIONS: TurnOptions = Object.freeze({})

/** The same object for as long as its contents are the same: callers write options inline. */
function useStable<T extends object>(value: T): T {
  const text = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the value
  return useMemo(() => value, [text])
}

export interface UsedPageContext
  extends PageView,
    Pick<LivePage, 'update' | 'flush' | 'refresh' | 'dismissError'> {
  setActiveFile(file: ActiveFile | null): void
  setCurrentTopic(topic: string | null): void
  /** null removes it. */
  setEntity(name: string, value: JsonValue): void
  /** null removes it. */
  setPreference(name: string, value: JsonValue): void
}

/**
 * The context of a page: active file, current topic, entities, preferences. Loaded first, changed at once,
 * saved a moment later and when the page is closed; unsaved changes survive a reload.
 */
export function usePageContext(pageId: string): UsedPageContext {
  const [live, view] = useLive<PageView, LivePage>({
    name: `page ${pageId}`,
    make: (client, changes) => new LivePage(client, pageId, changes),
  })
  return useMemo(() => {
    const { update, flush, refresh, dismissError } = live
    return {
      ...view,
      update,
      flush,
      refresh,
      dismissError,
      setActiveFile: (activeFile) => update({ activeFile }),
      setCurrentTopic: (currentTopic) => update({ currentTopic }),
      setEntity: (name, value) => update({ entities: { [name]: value } }),
      setPreference: (name, value) => update({ preferences: { [name]: value } }),
    }
  }, [live, view])
}

export interface UseRecallOptions extends Omit<RecallCall, 'query'> {
  /** Debounce time in milliseconds. @default 200: a pause in typing */
  readonly waitMs?: number
}

const WAIT_MS = 200

/**
 * Recalls what is known about a question, best first. An empty question finds nothing and sends no request.
 */
export function useRecall(
  query: string,
  { waitMs = WAIT_MS, ...request }: UseRecallOptions = {},
): UsedRemote<Wire<RecallAnswer> | undefined> {
  const asked = useSettled(query.trim(), waitMs)
  return useRemote({
    name: `recall ${JSON.stringify({ ...request, query: asked })}`,
    read: async (client, signal) =>
      asked === '' ? undefined : client.recall({ ...request, query: asked }, { signal }),
  })
}

/** A text after it has not changed for a while. */
function useSettled(text: string, waitMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waitMs)
    return () => clearTimeout(timer)
  }, [text, waitMs])
  return settled
}

type Topics = readonly Wire<Topic>[]

export interface UsedTopics extends Omit<UsedRemote<Topics>, 'value' | 'assume'> {
  /** By last use, newest first; including archived ones. Missing until they are read. */
  readonly topics: Topics | undefined
  /** Shown at once; reverted, with an error thrown, if the server rejects it. */
  change(topicId: string, changes: TopicChanges): Promise<void>
  /** Moves all messages of `fromId` to `intoId`. */
  merge(intoId: string, fromId: string): Promise<void>
  /** Moves messages of one topic to a new topic. */
  split(messageIds: readonly string[]): Promise<void>
  move(messageId: string, topicId: string): Promise<void>
  /** Restores a faded topic, as if it had just been mentioned. */
  restore(topicId: string): Promise<void>
  /** Undoes the last restore, until the topic is used again. */
  undoRestore(topicId: string): Promise<void>
}

/** The topics of a conversation. Read again after every turn, in this tab or another. */
export function useTopics(conversationId: string): UsedTopics {
  const client = useRecollect()
  const {
    value: topics,
    assume,
    refresh,
    error,
    isLoading,
  } = useRemote<Topics>({
    name: `topics ${conversationId}`,
    read: (from, signal) => from.conversation(conversationId).topics.list({ signal }),
    about: [`conversation ${conversationId}`],
  })
  const calls = useMemo(() => {
    const { topics: at } = client.conversation(conversationId)
    return openTopicChanges(at, { assume, refresh })
  }, [client, conversationId, assume, refresh])
  return { topics, error, isLoading, refresh, ...calls }
}

type Shown = Pick<UsedRemote<Topics>, 'assume' | 'refresh'>
type Changes = Pick<UsedTopics, 'change' | 'merge' | 'split' | 'move' | 'restore' | 'undoRestore'>

function openTopicChanges(at: TopicCalls, { assume, refresh }: Shown): Changes {
  /** Whatever the outcome, the server's state is shown afterwards. */
  const thenRefresh = async (change: Promise<unknown>) => {
    try {
      await change
    } finally {
      await refresh()
    }
  }
  return {
    change(topicId, changes) {
      assume((topics) => topics.map((topic) => (topic.id === topicId ? withChanges(topic, changes) : topic)))
      return thenRefresh(at.change(topicId, changes))
    },
    merge(intoId, fromId) {
      assume((topics) => topics.filter(({ id }) => id !== fromId))
      return thenRefresh(at.merge(intoId, fromId))
    },
    split: (messageIds) => thenRefresh(at.split(messageIds)),
    move: (messageId, topicId) => thenRefresh(at.move(messageId, topicId)),
    restore(topicId) {
      assume((topics) => topics.map((topic) => (topic.id === topicId ? asRestored(topic) : topic)))
      return thenRefresh(at.restore(topicId))
    },
    undoRestore: (topicId) => thenRefresh(at.undoRestore(topicId)),
  }
}

/** Fields reset to their derived value are known only to the server. */
function withChanges(topic: Wire<Topic>, changes: TopicChanges): Wire<Topic> {
  const { title, importance, tags = topic.tags, isPinned = topic.isPinned } = changes
  return { ...topic, tags, isPinned, title: title ?? topic.title, importance: importance ?? topic.importance }
}

function asRestored(topic: Wire<Topic>): Wire<Topic> {
  const { state, importance, totalMessages, accessCount } = topic
  return {
    ...topic,
    state: state === 'archived' ? 'live' : state,
    priority: importance,
    accessCount: accessCount + 1,
    activeMessages: totalMessages,
    compressedMessages: 0,
    lastUsedAt: new Date().toISOString(),
    idleMs: 0,
  }
}
