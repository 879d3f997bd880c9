import type { ContextMessage } from '../domain/context-message.ts'
import { checkAnthropic, toAnthropic } from './providers/anthropic.ts'
import { checkGemini, toGemini } from './providers/gemini.ts'
import { checkOpenAi, toOpenAi } from './providers/openai.ts'

/** What any of the three providers would refuse, in words, with its name; empty when all of them take it. */
export function checkValidity(messages: readonly ContextMessage[]): readonly string[] {
  const named = (provider: string, problems: readonly string[]) =>
    problems.map((problem) => `${provider}: ${problem}`)
  return [
    ...named('OpenAI', checkOpenAi(toOpenAi(messages))),
    ...named('Anthropic', checkAnthropic(toAnthropic(messages))),
    ...named('Gemini', checkGemini(toGemini(messages))),
  ]
}
