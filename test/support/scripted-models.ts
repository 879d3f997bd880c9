import { onTestFinished } from 'vitest'
import type { CustomModels } from '../../src/model/connect-models.ts'
import { connectModels } from '../../src/model/connect-models.ts'
import type { ResolvedModels } from '../../src/model/model-options.ts'
import type { CompletionRequest, LanguageModel, Models } from '../../src/model/models.ts'
import {
  type ScriptedServer,
  type ScriptedStep,
  startScriptedServer,
} from '../../src/model/scripted/testing.ts'
import { resolveConfig, withTuning } from '../../src/options/resolve-options.ts'

/** A server that follows the script, closed after the test. */
export async function scriptedServer(...steps: readonly ScriptedStep[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(...steps)
  onTestFinished(() => server.close())
  return server
}

/** Public options and internal constants of models. */
export type TunedModels = {
  readonly [Name in keyof ResolvedModels]?: Partial<ResolvedModels[Name]>
}

/** Models with complete options and short delays. */
export function openModels(options: TunedModels, given: CustomModels = {}): Models {
  const { models } = resolveConfig(
    withTuning({}, { models: { timeoutMs: 5000, retryWaitMs: 1, ...options } }),
  )
  return connectModels(models, given)
}

/** The chat model of a server. */
export function chatAt(server: ScriptedServer, options: TunedModels = {}): LanguageModel {
  const { languageModel } = openModels({
    ...options,
    chat: { url: server.url, model: 'small-model', key: 'sk-test-1234', ...options.chat },
  })
  if (languageModel === undefined) throw new TypeError('no language model')
  return languageModel
}

/** One user message. */
export const asking = (content: string): CompletionRequest => ({ messages: [{ role: 'user', content }] })

/** The pieces of a stream, and the error that ended it, if any. */
export async function readStream(stream: AsyncIterable<string>): Promise<{ got: string[]; error?: unknown }> {
  const got: string[] = []
  try {
    for await (const piece of stream) got.push(piece)
    return { got }
  } catch (error) {
    return { got, error }
  }
}
