// Rewrites follow-ups once per turn: web search, documents, pages and recall all search with the same question, and
// the model is asked once.

import { readRollingSummary } from '../derive/summaries/rolling-summary.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { ConversationId } from '../domain/ids.ts'
import { isSaid, withoutReplaced } from '../domain/recollect-metadata.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { type RewritingModel, type StandAlone, standAlone } from '../recall/stand-alone.ts'
import type { WorkspaceDeps } from '../record/record.ts'

export interface AskedQuestion {
  readonly text: string
  /** Where it is asked. */
  readonly conversation: ConversationId | undefined
  readonly signal?: AbortSignal
}

export type QuestionRewriter = (asked: AskedQuestion) => Promise<StandAlone>

export interface RewriterDeps {
  readonly recorder: WorkspaceDeps
  readonly options: ResolvedConfig
  readonly models: Models
}

/** Number of previous messages that a follow-up question may refer to. */
const LAST_MESSAGES = 30
/** Rewritten questions that are kept: those of the turns in progress. */
const MAX_CACHED = 64

export function createRewriter(deps: RewriterDeps): QuestionRewriter {
  const cache = new Map<string, StandAlone>()
  return async ({ text, conversation, signal }) => {
    if (conversation === undefined) return { asked: text, carried: [] }
    const { store, workspace } = deps.recorder
    const list = { workspace, conversation, direction: 'backwards', limit: LAST_MESSAGES } as const
    const said = withoutReplaced(await store.messages(list)).filter(isSaid)
    // The question itself may be recorded, and answered if it is asked for another answer.
    const asked = said.findLastIndex(({ role }) => role === 'user')
    const turns = said[asked]?.content === text ? said.slice(0, asked) : said
    const name = JSON.stringify([conversation, turns.at(-1)?.id, text])
    const known = cache.get(name)
    if (known !== undefined) return known
    const model = toModel(deps, conversation)
    const rewritten = await standAlone(text, { turns, ...definedFields({ model, signal }) })
    for (const oldest of cache.keys()) if (cache.size >= MAX_CACHED) cache.delete(oldest)
    cache.set(name, rewritten)
    return rewritten
  }
}

function toModel(
  { recorder: { store, workspace }, options, models: { languageModel } }: RewriterDeps,
  conversation: ConversationId,
): RewritingModel | undefined {
  if (languageModel === undefined) return undefined
  const key = { workspace, conversation }
  return {
    languageModel,
    timeoutMs: options.models.chat.rewriteTimeoutMs,
    readSummary: async () => (await readRollingSummary(store, key, options.summary.everyNMessages))?.text,
  }
}
