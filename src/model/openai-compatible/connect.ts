// OpenAI-compatible servers, through the AI SDK's provider for them, which is loaded with the first call.

import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { VectorSource } from '../guard/guard-models.ts'
import type { LanguageModel, Reranker } from '../models.ts'
import { CallFailure, cutText } from '../network/call-failure.ts'
import type { Endpoint } from '../network/endpoint.ts'
import { boundedFetch, fetchJson } from '../network/fetch-json.ts'
import { memoizeAsync } from '../network/load-once.ts'
import { aiSdkVectors } from './ai-sdk.ts'
import { aiSdkLanguageModel } from './ai-sdk-language-model.ts'

export interface ServerModel {
  readonly endpoint: Endpoint
  readonly model: string
  readonly responseBytes: number
}

export function connectLanguageModel(server: ServerModel): LanguageModel {
  const provider = memoizeAsync(() => loadProvider(server, adaptingFetch(boundedFetch(server.responseBytes))))
  return aiSdkLanguageModel(server.model, async () => (await provider()).chatModel(server.model))
}

export function connectVectors(server: ServerModel, dimensions: number): VectorSource {
  const provider = memoizeAsync(() => loadProvider(server, boundedFetch(server.responseBytes)))
  return aiSdkVectors(server.model, async () => (await provider()).embeddingModel(server.model), dimensions)
}

async function loadProvider(
  { endpoint }: ServerModel,
  send: typeof fetch,
): Promise<OpenAICompatibleProvider> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'server',
    baseURL: endpoint.baseUrl,
    headers: endpoint.headers,
    queryParams: endpoint.query,
    supportsStructuredOutputs: true,
    fetch: send,
  })
}

// "Compatible" servers differ in the request fields they accept. OpenAI's newer models use another name for
// the token limit and accept no temperature; many local servers have no response format. If a known field may
// explain a rejection, the request is repeated without it, and later requests omit it too if that helped.

type Change = 'rename-token-limit' | 'drop-temperature' | 'drop-format'
type Body = Record<string, unknown>

/** Statuses of a server that did not understand the request. Some crash on a schema they cannot use. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 422, 500, 501])

function adaptingFetch(send: typeof fetch): typeof fetch {
  const learned = new Set<Change>()
  return async (input, init) => {
    const body: Body = JSON.parse(String(init?.body))
    const changes = new Set(learned)
    for (;;) {
      const sent = changed(body, changes)
      const response = await send(input, { ...init, body: JSON.stringify(sent) })
      if (response.ok) {
        for (const change of changes) learned.add(change)
        return response
      }
      const { answer, change } = await findChange(sent, response)
      if (change === undefined) return answer
      changes.add(change)
    }
  }
}

function changed(body: Body, changes: ReadonlySet<Change>): Body {
  const { max_tokens: limit, temperature, response_format: format, ...rest } = body
  const limitName = changes.has('rename-token-limit') ? 'max_completion_tokens' : 'max_tokens'
  return {
    ...rest,
    ...(limit !== undefined && { [limitName]: limit }),
    ...(!changes.has('drop-temperature') && { temperature }),
    ...(!changes.has('drop-format') && { response_format: format }),
  }
}

async function findChange(sent: Body, response: Response): Promise<{ answer: Response; change?: Change }> {
  if (!REFUSALS.has(response.status)) return { answer: response }
  const text = await response.text()
  const { status, statusText, headers } = response
  const answer = new Response(text, { status, statusText, headers })
  const change = changeFor(sent, { text, status })
  return change === undefined ? { answer } : { answer, change }
}

function changeFor(sent: Body, { text, status }: { text: string; status: number }): Change | undefined {
  if (sent['max_tokens'] !== undefined && text.includes('max_completion_tokens')) return 'rename-token-limit'
  if (sent['temperature'] !== undefined && /temperature/i.test(text)) return 'drop-temperature'
  const isAboutFormat = /format|schema|grammar|structured|guided/i.test(text)
  const isUnexplained = status === 400 || status === 422
  return sent['response_format'] !== undefined && (isAboutFormat || isUnexplained) ? 'drop-format' : undefined
}

// The `/rerank` endpoint as introduced by Jina and Cohere, and served by vLLM and llama.cpp:
// `{ model, query, documents }` → `{ results: [{ index, relevance_score }] }`, sorted by score.

export function connectReranker(server: ServerModel, textCharacters: number): Reranker {
  const { endpoint, model, responseBytes } = server
  return {
    name: model,
    async rerank(question, texts, { signal } = {}) {
      if (texts.length === 0) return []
      const documents = texts.map((text) => cutText(text, textCharacters))
      const body = { model, query: cutText(question, textCharacters), documents }
      const answer = await fetchJson(endpoint, { path: '/rerank', body, signal, maxBytes: responseBytes })
      return readScores(answer, texts.length)
    },
  }
}

function readScores(answer: unknown, count: number): readonly number[] {
  const results = (answer as { results?: unknown } | null)?.results
  const scores = new Map<unknown, number>()
  for (const result of Array.isArray(results) ? results : []) {
    if (Number.isFinite(result?.relevance_score)) scores.set(result.index, result.relevance_score)
  }
  return Array.from({ length: count }, (_, i) => {
    const score = scores.get(i)
    if (score === undefined) throw new CallFailure('garbled', `no score for text ${i + 1} of ${count}`)
    return score
  })
}
