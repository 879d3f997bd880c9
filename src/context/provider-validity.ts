import type { ContextMessage } from '../domain/message.ts'
import { checkAnthropic, toAnthropic } from './providers/anthropic.ts'
import { checkGemini, toGemini } from './providers/gemini.ts'
import { checkOpenAi, toOpenAi } from './providers/openai.ts'

export type Provider = 'openai' | 'anthropic' | 'gemini'

type Check = (messages: readonly ContextMessage[], options: ValidityOptions) => readonly string[]

const CHECKS: Readonly<Record<Provider, readonly [name: string, check: Check]>> = {
  openai: ['OpenAI', (messages) => checkOpenAi(toOpenAi(messages))],
  anthropic: ['Anthropic', (messages, options) => checkAnthropic(toAnthropic(messages), options)],
  gemini: ['Gemini', (messages, options) => checkGemini(toGemini(messages), options)],
}

export interface ValidityOptions {
  /** @default all of them */
  readonly provider?: Provider
  /**
   * The model thinks: Anthropic then wants the thinking block of the current tool loop, and Gemini 3 the thought
   * signatures of its function calls. @default false
   */
  readonly thinking?: boolean
}

/** What a provider would refuse, one sentence each with the provider's name; empty if the messages are valid. */
export function checkValidity(
  messages: readonly ContextMessage[],
  options: ValidityOptions = {},
): readonly string[] {
  const checks = options.provider === undefined ? Object.values(CHECKS) : [CHECKS[options.provider]]
  return checks.flatMap(([name, check]) => check(messages, options).map((problem) => `${name}: ${problem}`))
}
