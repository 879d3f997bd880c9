import { WINDOWS } from './context-options.ts'
import { type MemoryConfig, PUBLIC_DEFAULTS } from './options.ts'
import {
  describeOldName,
  type Group,
  type Leaf,
  listRemovedOptions,
  RENAMED_OPTIONS,
  refuse,
  setPath,
  warnOnce,
} from './resolve-options.ts'

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
  RECOLLECT_EMBEDDINGS_DEVICE: 'models.embeddings.device',
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

/** Variables that are no options: the command line and the server read them. */
export const PROGRAM_VARIABLES: readonly string[] = Object.freeze([
  'RECOLLECT_DB',
  'RECOLLECT_OLLAMA',
  'RECOLLECT_SERVER_HOST',
  'RECOLLECT_SERVER_REQUIRE_KEY',
  'RECOLLECT_SERVER_WORKSPACE_HEADER',
  'RECOLLECT_SERVER_CORS',
  'RECOLLECT_SERVER_ALLOWED_HOST',
  'RECOLLECT_SERVER_RATE',
  'RECOLLECT_SERVER_BODY_BYTES',
  'RECOLLECT_SERVER_UPLOAD_BYTES',
  'RECOLLECT_SERVER_DRAIN_MS',
  'RECOLLECT_SERVER_RETAIN_DAYS',
  'RECOLLECT_SERVER_RETAIN_ACTION',
  'RECOLLECT_SERVER_RETAIN_QUERY_DAYS',
  'RECOLLECT_SERVER_RETAIN_DRY_RUN',
  'RECOLLECT_SERVER_BACKUP_DIR',
  'RECOLLECT_SERVER_BACKUPS_KEPT',
  'RECOLLECT_SERVER_LOG',
  'RECOLLECT_SERVER_UPSTREAM',
  'RECOLLECT_SERVER_UPSTREAM_KEY',
  'RECOLLECT_SERVER_DEBUG',
])

/** Variables of earlier versions, with their former option paths. */
export function listOldVariables(): ReadonlyMap<string, string> {
  const paths = [...Object.keys(RENAMED_OPTIONS), ...listRemovedOptions()]
  const named = paths.map((path) => [toVariable(path), path] as const)
  const old = named.filter(([variable]) => !(variable in VARIABLE_ALIASES))
  return new Map([...old, ['RECOLLECT_CONVO_SUMMARY_EVERY_NMESSAGES', 'convo.summaryEveryNMessages']])
}

/**
 * Options from environment variables. Variables of an earlier version work if they were renamed, and print a warning. So
 * do unknown variables that start with `RECOLLECT_`, with the closest known name.
 */
export function configFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): MemoryConfig {
  const options: Record<string, unknown> = {}
  const variables = new Map(listOptions().map((option) => [option.path, option]))
  const set = (variable: string, path: string): void => {
    const [text, option] = [environment[variable], variables.get(path)]
    if (text === undefined || text === '' || option === undefined) return
    setPath(options, path, toValue(text, option, variable))
  }
  warnOfUnknown(
    Object.keys(environment),
    [...variables.values()].map(({ variable }) => variable),
  )
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

function toValue(text: string, { path, fallback }: ListedOption, variable: string): string | number {
  if (SWITCHES.has(path)) return ON_OR_OFF[text.toLowerCase()] ?? text
  if (typeof fallback !== 'number' && path !== 'context.window') return text
  const number = Number(text)
  if (!Number.isNaN(number)) return number
  if (text in WINDOWS) return text
  throw refuse(`${variable} must be a number, not "${text}"`)
}

const SWITCHES: ReadonlySet<string> = new Set(['chat.persist', 'summary.rolling'])
/** Other spellings of a switch. */
const ON_OR_OFF: Readonly<Record<string, 'on' | 'off'>> = { true: 'on', 1: 'on', false: 'off', 0: 'off' }

function warnOfUnknown(names: readonly string[], options: readonly string[]): void {
  const present = [...options, ...Object.keys(VARIABLE_ALIASES), ...PROGRAM_VARIABLES]
  const known = new Set([...present, ...listOldVariables().keys()])
  for (const name of names) {
    if (!name.startsWith('RECOLLECT_') || known.has(name)) continue
    const [closest = ''] = present.toSorted((one, other) => countEdits(name, one) - countEdits(name, other))
    warnOnce(`unknown environment variable ${name}; did you mean ${closest}?`)
  }
}

/** Levenshtein distance: how many characters have to be inserted, removed or replaced. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
