// Compiled, never run: the official packages accept what Recollect returns, and Recollect accepts their answers,
// without a cast.

import type Anthropic from '@anthropic-ai/sdk'
import type { Content, GenerateContentResponse, GoogleGenAI } from '@google/genai'
import type OpenAI from 'openai'
import {
  type ContextMessage,
  fromAnthropic,
  fromGemini,
  fromOpenAi,
  type NewMessage,
  toAnthropic,
  toGemini,
  toOpenAi,
} from '../../../dist/index.js'

interface Clients {
  readonly openai: OpenAI
  readonly anthropic: Anthropic
  readonly google: GoogleGenAI
}

export async function askAll(
  { openai, anthropic, google }: Clients,
  messages: readonly ContextMessage[],
): Promise<readonly NewMessage[]> {
  const completion = await openai.chat.completions.create({ model: 'm', messages: toOpenAi(messages) })
  const message = await anthropic.messages.create({ model: 'm', max_tokens: 1, ...toAnthropic(messages) })
  const response = await google.models.generateContent({ model: 'm', ...toGemini(messages) })
  return [fromOpenAi(completion), fromAnthropic(message), fromGemini(response)]
}

export function toParams(messages: readonly ContextMessage[]): {
  openai: OpenAI.ChatCompletionMessageParam[]
  anthropic: Anthropic.MessageParam[]
  gemini: Content[]
} {
  return {
    openai: toOpenAi(messages),
    anthropic: toAnthropic(messages).messages,
    gemini: toGemini(messages).contents,
  }
}

export function fromParts(
  message: OpenAI.ChatCompletionMessage,
  content: Content,
  response: GenerateContentResponse,
): readonly NewMessage[] {
  return [fromOpenAi(message), fromGemini(content), fromGemini(response)]
}
