// What a server that speaks OpenAI's language answers, from a script where there is one, else by the words of the
// request.

import type { ScriptedReply, ScriptedRequest } from './scripted-reply.ts'
import { wordOverlap, wordVector } from './word-vector.ts'

const DIMENSIONS = 64

/** As Ollama lists what is installed. */
const OLLAMA_MODELS = [
  { name: 'nomic-embed-text:latest', details: { family: 'nomic-bert' } },
  { name: 'scripted:latest', details: { family: 'llama' } },
]

/** The JSON for a request without a scripted body; undefined when there is nothing at the address. */
export function answerTo(request: ScriptedRequest, reply: ScriptedReply): unknown {
  const path = request.path.replace(/^\/v\d+(?=\/)/, '')
  if (path === '/chat/completions') return toCompletion(request, reply)
  if (path === '/embeddings') return toEmbeddings(request)
  if (path === '/rerank') return toRanking(request)
  if (path === '/models') return { object: 'list', data: [{ id: 'scripted', object: 'model' }] }
  if (path === '/api/tags') return { models: OLLAMA_MODELS }
  if (path === '/search') return { query: request.query['q'], results: [] }
  return undefined
}

function toCompletion(request: ScriptedRequest, reply: ScriptedReply): unknown {
  const content = piecesOf(request, reply).join('')
  const calls = toToolCalls(reply)
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: Math.floor(request.at / 1000),
    model: request.body?.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
        finish_reason: finishOf(reply),
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

/** The events of a streamed completion, each ready to be sent. */
export function toEvents(request: ScriptedRequest, reply: ScriptedReply): string[] {
  const chunk = (delta: unknown, finish: string | null = null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      created: Math.floor(request.at / 1000),
      model: request.body?.model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`
  const calls = toToolCalls(reply).map((call, index) => ({ index, ...call }))
  return [
    ...piecesOf(request, reply).map((content) => chunk({ role: 'assistant', content })),
    ...(calls.length > 0 ? [chunk({ role: 'assistant', tool_calls: calls })] : []),
    chunk({}, finishOf(reply)),
    'data: [DONE]\n\n',
  ]
}

/** Without a script, the model repeats what it was told last. */
function piecesOf(request: ScriptedRequest, { text, toolCalls }: ScriptedReply): readonly string[] {
  if (typeof text === 'string') return text.match(/\s*\S+|\s+$/g) ?? ['']
  if (text !== undefined) return text
  if (toolCalls !== undefined) return []
  const content: unknown = request.body?.messages?.at(-1)?.content
  return [`You said: ${typeof content === 'string' ? content : JSON.stringify(content)}`]
}

const finishOf = ({ finishReason, toolCalls }: ScriptedReply): string =>
  finishReason ?? (toolCalls === undefined ? 'stop' : 'tool_calls')

function toToolCalls({ toolCalls = [] }: ScriptedReply): object[] {
  return toolCalls.map(({ id, name, arguments: given }, i) => ({
    id: id ?? `call_${i + 1}`,
    type: 'function',
    function: { name, arguments: given },
  }))
}

function toEmbeddings({ body }: ScriptedRequest): unknown {
  const texts: readonly string[] = [body?.input ?? []].flat()
  const dimensions = body?.dimensions ?? DIMENSIONS
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: wordVector(text, dimensions),
  }))
  return { object: 'list', model: body?.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }
}

function toRanking({ body }: ScriptedRequest): unknown {
  const documents: readonly string[] = body?.documents ?? []
  const results = documents.map((text, index) => ({ index, relevance_score: wordOverlap(body.query, text) }))
  return { model: body?.model, results: results.toSorted((a, b) => b.relevance_score - a.relevance_score) }
}
