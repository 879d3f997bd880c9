import type { CompletionRequest, LanguageModel } from '../language-model.ts'
import { CallFailure } from '../network/call-failure.ts'
import type { AiSdkCall, AiSdkLanguageModel, AiSdkPart } from './ai-sdk.ts'
import { toPrompt } from './to-prompt.ts'
import { streamWithoutThinking, withoutThinking } from './without-thinking.ts'

/** Any language model of the AI SDK. Not guarded: see `guard/`. */
export function aiSdkLanguageModel(name: string, load: () => Promise<AiSdkLanguageModel>): LanguageModel {
  return {
    name,
    async complete(request) {
      const model = await load()
      const { content, finishReason } = await model.doGenerate(toCall(request, model) as never)
      const texts = (content as AiSdkPart[])
        .filter(({ type }) => type === 'text')
        .map(({ text = '' }) => text)
      return withoutThinking(texts.join('')) || failEmpty(finishReason)
    },
    async *stream(request) {
      const model = await load()
      const { stream } = await model.doStream(toCall(request, model) as never)
      let hasText = false
      for await (const piece of streamWithoutThinking(textPieces(stream as ReadableStream<AiSdkPart>))) {
        hasText ||= piece !== ''
        yield piece
      }
      if (!hasText) failEmpty(undefined)
    },
  }
}

function toCall(request: CompletionRequest, { specificationVersion }: AiSdkLanguageModel): AiSdkCall {
  const { messages, maxTokens, temperature, jsonSchema, signal } = request
  return {
    prompt: toPrompt(messages, specificationVersion),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(signal !== undefined && { abortSignal: signal }),
    ...(jsonSchema !== undefined && {
      responseFormat: { type: 'json' as const, schema: jsonSchema, name: 'answer' },
      // Strict, OpenAI refuses every schema with an optional field; the answer is checked here anyway.
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    }),
  }
}

/** The text in a stream, and an empty piece for every piece of thought. */
async function* textPieces(stream: ReadableStream<AiSdkPart>): AsyncGenerator<string> {
  let isFinished = false
  for await (const { type, delta = '', error } of stream) {
    if (type === 'text-delta') yield delta
    else if (type === 'reasoning-delta') yield ''
    else if (type === 'error') throw toError(error)
    else if (type === 'finish') isFinished = true
  }
  if (!isFinished) throw new CallFailure('unreachable', 'the stream ended before the answer did')
}

/** Servers put errors into the stream as objects. */
function toError(error: unknown): unknown {
  if (error instanceof Error) return error
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return new CallFailure('garbled', `the server broke off: ${String(message).slice(0, 300)}`)
}

/** Why there is nothing: specification v2 names the reason, later ones wrap the name. */
function failEmpty(finishReason: unknown): never {
  const wrapped = finishReason as { unified?: unknown } | undefined
  const reason = typeof finishReason === 'string' ? finishReason : wrapped?.unified
  if (reason === 'length')
    throw new CallFailure('thrown', 'all tokens went before the answer began', { hint: 'raise maxTokens' })
  if (reason === 'content-filter') throw new CallFailure('thrown', 'the provider filtered the answer out')
  throw new CallFailure('garbled', 'an empty answer')
}
