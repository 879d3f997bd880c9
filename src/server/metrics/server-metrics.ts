// What the server counts itself, and what it reads from the memory when the metrics are scraped.

import type { AnswerRecorded, Memory, Receipt } from '../../index.ts'
import { Registry } from './registry.ts'

interface Answered {
  readonly method: string
  /** The path with its parameters in braces: ids would create one series each. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** Counting all workspaces is slow for a scrape, so counts are cached for this long. */
const COUNTED_FOR_MS = 15_000

export class ServerMetrics {
  readonly #memory: Memory
  readonly #registry = new Registry()
  readonly #startedAt = Date.now()
  #countedAt = Number.NEGATIVE_INFINITY
  #firstBytes: number | undefined

  readonly #requests = this.#registry.counter('recollect_http_requests_total', 'HTTP requests.')
  readonly #seconds = this.#registry.histogram(
    'recollect_http_request_seconds',
    'Time from request to response.',
  )
  readonly #underWay = this.#registry.gauge('recollect_http_requests_under_way', 'Requests in progress.')
  readonly #recorded = this.#registry.counter(
    'recollect_messages_recorded_total',
    'Messages recorded by this process.',
  )
  readonly #contextSeconds = this.#registry.histogram('recollect_context_seconds', 'Time to build a context.')
  readonly #contextTokens = this.#registry.counter(
    'recollect_context_tokens_total',
    'Tokens of contexts, by section.',
  )
  readonly #turns = this.#registry.counter(
    'recollect_chat_turns_total',
    'Chat turns, by how the answer ended and what wrote it.',
  )
  readonly #proxied = this.#registry.counter(
    'recollect_proxy_requests_total',
    'Proxy requests, by whether memory was added.',
  )
  readonly #proxySeconds = this.#registry.histogram(
    'recollect_proxy_memory_seconds',
    'Time a proxy request spent here before it was forwarded.',
  )
  readonly #proxyTokens = this.#registry.counter(
    'recollect_proxy_tokens_total',
    'Tokens of proxy requests, as counted by Recollect and by the upstream server.',
  )
  readonly #recallSeconds = this.#registry.histogram('recollect_recall_seconds', 'Time to recall.')
  readonly #condensations = this.#registry.counter(
    'recollect_condensations_total',
    'Conversations summarized by this process.',
  )
  readonly #modelCalls = this.#registry.counter('recollect_model_calls_total', 'Calls to models.')
  readonly #modelFailures = this.#registry.counter(
    'recollect_model_failures_total',
    'Failed attempts of model calls.',
  )
  readonly #modelFallbacks = this.#registry.counter(
    'recollect_model_fallbacks_total',
    'Model calls that failed for good; built-in methods took over, or the job waits.',
  )
  readonly #vectorsUp = this.#registry.gauge(
    'recollect_vector_store_up',
    '1 while the vector store is available, 0 while recall works without it.',
  )
  readonly #vectorsBehind = this.#registry.gauge(
    'recollect_vector_store_behind',
    'Conversations, documents and kinds of artifacts not yet written to the vector store.',
  )
  readonly #vectorCalls = this.#registry.counter(
    'recollect_vector_store_calls_total',
    'Calls to the vector store.',
  )
  readonly #vectorFailures = this.#registry.counter(
    'recollect_vector_store_failures_total',
    'Calls to the vector store that failed, or were skipped after earlier failures.',
  )
  readonly #replicaUp = this.#registry.gauge(
    'recollect_replica_up',
    '1 while recall reads from the replica, 0 while it reads from the primary instead.',
  )
  readonly #replicaFailures = this.#registry.counter(
    'recollect_replica_failures_total',
    'Queries that fell back from the replica to the primary.',
  )
  readonly #workspaces = this.#registry.gauge('recollect_workspaces', 'Workspaces in the store.')
  readonly #conversations = this.#registry.gauge('recollect_conversations', 'Conversations in the store.')
  readonly #messages = this.#registry.gauge('recollect_messages', 'Messages in the store.')
  readonly #tokens = this.#registry.gauge('recollect_tokens', 'Tokens of all messages in the store.')
  readonly #storedTurns = this.#registry.gauge(
    'recollect_conversation_turns',
    'Messages of users in all conversations; divided by recollect_conversations, turns per conversation.',
  )
  readonly #conversationSeconds = this.#registry.gauge(
    'recollect_conversation_seconds',
    'Time from creation to last use, summed over all conversations.',
  )
  readonly #jobs = this.#registry.gauge('recollect_jobs', 'Jobs, by state.')
  readonly #behind = this.#registry.gauge(
    'recollect_conversations_behind',
    'Conversations with messages that are not derived yet.',
  )
  readonly #failures = this.#registry.gauge(
    'recollect_derive_failures',
    'Conversations that could not be derived.',
  )
  readonly #storage = this.#registry.gauge('recollect_storage_bytes', 'Size of all files of the store.')
  readonly #growth = this.#registry.gauge(
    'recollect_storage_growth_bytes',
    "Growth of the store's files since this process started watching them.",
  )
  readonly #resident = this.#registry.gauge('process_resident_memory_bytes', 'Memory of the process.')
  readonly #heap = this.#registry.gauge('nodejs_heap_used_bytes', 'Memory of JavaScript objects.')
  readonly #uptime = this.#registry.gauge('recollect_uptime_seconds', 'Time since the server started.')

  constructor(memory: Memory) {
    this.#memory = memory
  }

  began(): void {
    this.#underWay.add(1)
  }

  answered({ method, route, status, seconds }: Answered): void {
    this.#underWay.add(-1)
    this.#requests.add(1, { method, route, status: String(status) })
    this.#seconds.observe(seconds, { route })
  }

  recorded(messages: number): void {
    this.#recorded.add(messages)
  }

  /** `seconds` is omitted if the time is already part of another measurement. */
  contextMade({ parts }: Receipt, seconds?: number): void {
    if (seconds !== undefined) this.#contextSeconds.observe(seconds)
    for (const { section, tokens } of parts) this.#contextTokens.add(tokens, { section })
  }

  answeredTurn({ ending, model, message }: AnswerRecorded): void {
    if (message !== undefined) this.#recorded.add(1)
    this.#turns.add(1, { ending, by: model === undefined ? 'memory' : 'model' })
  }

  proxied(seconds: number, { state }: { readonly state: string }): void {
    this.#proxied.add(1, { memory: state })
    this.#proxySeconds.observe(seconds)
  }

  /** Adds our token count of a request, and that of the upstream server. */
  counted(own: number, upstream: number): void {
    this.#proxyTokens.add(own, { by: 'recollect' })
    this.#proxyTokens.add(upstream, { by: 'upstream' })
  }

  recalled(seconds: number): void {
    this.#recallSeconds.observe(seconds)
  }

  async render(): Promise<string> {
    await this.#readStatus()
    this.#readVectorStore()
    this.#readReplica()
    if (Date.now() - this.#countedAt > COUNTED_FOR_MS) await this.#countStore()
    const { rss, heapUsed } = process.memoryUsage()
    this.#resident.set(rss)
    this.#heap.set(heapUsed)
    this.#uptime.set((Date.now() - this.#startedAt) / 1000)
    return this.#registry.render()
  }

  async #readStatus(): Promise<void> {
    const { jobs, behind, failures, condensations } = await this.#memory.maintenance.deriveStatus()
    for (const [state, count] of Object.entries(jobs)) this.#jobs.set(count, { state })
    this.#behind.set(behind)
    this.#failures.set(failures.length)
    this.#condensations.set(condensations)
    for (const { model, ...counts } of this.#memory.models.calls()) {
      this.#modelCalls.set(counts.calls, { model })
      this.#modelFailures.set(counts.failures, { model })
      this.#modelFallbacks.set(counts.givenUp, { model })
    }
  }

  #readVectorStore(): void {
    const status = this.#memory.maintenance.vectorStore()
    if (status === undefined) return
    this.#vectorsUp.set(status.problem === undefined ? 1 : 0)
    this.#vectorsBehind.set(status.behind)
    this.#vectorCalls.set(status.calls)
    this.#vectorFailures.set(status.failures)
  }

  #readReplica(): void {
    const status = this.#memory.maintenance.replica()
    if (status === undefined) return
    this.#replicaUp.set(status.isUp ? 1 : 0)
    this.#replicaFailures.set(status.failures)
  }

  async #countStore(): Promise<void> {
    const workspaces = await this.#memory.workspaces.list().toArray()
    const sums = { conversations: 0, messages: 0, tokens: 0, turns: 0, seconds: 0 }
    let { storageBytes } = await this.#memory.statistics()
    for (const workspace of workspaces) {
      const counted = await this.#memory.workspace(workspace).statistics()
      sums.conversations += counted.conversations
      sums.messages += counted.messages
      sums.tokens += counted.tokens
      sums.turns += counted.turns
      sums.seconds += counted.conversationSeconds
      storageBytes = counted.storageBytes
    }
    this.#workspaces.set(workspaces.length)
    this.#conversations.set(sums.conversations)
    this.#messages.set(sums.messages)
    this.#tokens.set(sums.tokens)
    this.#storedTurns.set(sums.turns)
    this.#conversationSeconds.set(sums.seconds)
    this.#storage.set(storageBytes)
    this.#firstBytes ??= storageBytes
    this.#growth.set(storageBytes - this.#firstBytes)
    this.#countedAt = Date.now()
  }
}
