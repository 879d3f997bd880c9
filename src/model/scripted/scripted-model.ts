import type { CompletionRequest, LanguageModel } from '../language-model.ts'

/** What the model says: a text, an error to throw, or what a function makes of the request. */
export type ScriptedAnswer = string | Error | ((request: CompletionRequest) => string | Promise<string>)

export interface ScriptedModel extends LanguageModel {
  /** Everything that was asked, in order. */
  readonly requests: readonly CompletionRequest[]
}

/** A language model that says its lines, one for each call; the last is said again when there are no more. */
export function scriptedModel(answers: readonly ScriptedAnswer[], name = 'scripted'): ScriptedModel {
  const requests: CompletionRequest[] = []
  const answer = async (request: CompletionRequest): Promise<string> => {
    const line = answers[Math.min(requests.length, answers.length - 1)] ?? new Error('the script is empty')
    requests.push(request)
    request.signal?.throwIfAborted()
    if (line instanceof Error) throw line
    return typeof line === 'string' ? line : line(request)
  }
  return {
    name,
    requests,
    complete: answer,
    async *stream(request) {
      yield* (await answer(request)).match(/\s*\S+/g) ?? []
    },
  }
}
