import { WINDOWS } from './context-options.ts'
import { type MemoryConfig, PUBLIC_DEFAULTS } from './options.ts'
import { describeOldName, listRemovedOptions, RENAMED_OPTIONS, warnOnce } from './renamed-options.ts'
import { type Group, type Leaf, refuse, setPath } from './resolve-options.ts'

export interface ListedOption {
  readonly path: string
  readonly variable: string
  readonly fallback: string | number
}

/** Every public option, for the reference and for the environment. */
export function listOptions(): readonly ListedOption[] {
  const walk = (group: Group, path: string): { path: string; variable: string; fallback: Leaf }[] =>
    Object.entries(group).flatMap(([name, value]) =>
      typeof value === 'object'
        ? walk(value, `${path}${name}.`)
        : [{ path: path + name, variable: toVariable(path + name), fallback: value }],
    )
  return walk(PUBLIC_DEFAULTS as unknown as Group, '')
}

/** `limits.messageBytes` is `RECOLLECT_LIMITS_MESSAGE_BYTES`. */
function toVariable(path: string): string {
  const words = path.replaceAll('.', '_').replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
  return `RECOLLECT_${words.toUpperCase()}`
}

/** Other names of variables: short ones, and those that other chat stacks use for the same setting. */
export const VARIABLE_ALIASES: Readonly<Record<string, string>> = Object.freeze({
  RECOLLECT_MODEL: 'models.chat.model',
  RECOLLECT_MODEL_URL: 'models.chat.url',
  RECOLLECT_MODEL_KEY: 'models.chat.key',
  RECOLLECT_EMBEDDING_MODEL: 'models.embeddings.model',
  RECOLLECT_EMBEDDING_URL: 'models.embeddings.url',
  RECOLLECT_EMBEDDING_KEY: 'models.embeddings.key',
  RECOLLECT_CHROMA_URL: 'vectors.chroma.url',
  RECOLLECT_CHAT_MAX_TOKENS: 'context.window',
  RECOLLECT_RAG_TOP_K_MAX: 'rag.topK',
  RECOLLECT_RAG_RE_RANK_TOP_N: 'rag.rerankTop',
  RECOLLECT_RAG_FINAL_TOP_K: 'rag.finalChunks',
  RECOLLECT_RAG_SIMILARITY_THRESHOLD: 'rag.threshold',
  RECOLLECT_RAG_PER_TURN_MEMORY_BUDGET_TOKENS: 'context.memoryTokens',
  RECOLLECT_CONVO_SUMMARY_EVERY_N_MESSAGES: 'summary.everyNMessages',
  RECOLLECT_CONVO_SUMMARY_MAX_TOKENS: 'summary.maxTokens',
})

/** Variables of earlier versions, with their former option paths. */
export function listOldVariables(): ReadonlyMap<string, string> {
  const paths = [...Object.keys(RENAMED_OPTIONS), ...listRemovedOptions()]
  const named = paths.map((path) => [toVariable(path), path] as const)
  const old = named.filter(([variable]) => !(variable in VARIABLE_ALIASES))
  return new Map([...old, ['RECOLLECT_CONVO_SUMMARY_EVERY_NMESSAGES', 'convo.summaryEveryNMessages']])
}

/** Options from environment variables. Variables of an earlier version work if they were renamed, and print a warning. */
export function configFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): MemoryConfig {
  const options: Record<string, unknown> = {}
  const variables = new Map(listOptions().map((option) => [option.path, option]))
  const set = (variable: string, path: string): void => {
    const [text, option] = [environment[variable], variables.get(path)]
    if (text === undefined || text === '' || option === undefined) return
    const mayBeNumber = typeof option.fallback === 'number' || path === 'context.window'
    setPath(options, path, toValue(text, mayBeNumber, variable))
  }
  // The last one wins: the option's own name over an alias, an alias over an old name.
  for (const [variable, path] of listOldVariables()) {
    if (!environment[variable]) continue
    warnOnce(describeOldName(path, toVariable) ?? variable)
    set(variable, RENAMED_OPTIONS[path] ?? '')
  }
  for (const [alias, path] of Object.entries(VARIABLE_ALIASES)) set(alias, path)
  for (const { variable, path } of variables.values()) set(variable, path)
  return options as MemoryConfig
}

function toValue(text: string, mayBeNumber: boolean, variable: string): string | number {
  if (!mayBeNumber) return text
  const number = Number(text)
  if (!Number.isNaN(number)) return number
  if (text in WINDOWS) return text
  throw refuse(`${variable} must be a number, not "${text}"`)
}
