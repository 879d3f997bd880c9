// Options of earlier versions. A renamed option still works; a removed one is ignored. Both print a warning once.

import { MemoryError } from '../domain/errors.ts'
import { TOKENIZER_NAMES } from '../model/models.ts'
import { WINDOWS } from './context-options.ts'
import { DEFAULTS, type MemoryConfig, PUBLIC_DEFAULTS, type ResolvedConfig } from './options.ts'

/** Old path → new path. */
export const RENAMED_OPTIONS: Readonly<Record<string, string>> = Object.freeze({
  'context.receiptsKept': 'context.maxReceipts',
  'convo.summaryEveryNMessages': 'summary.everyNMessages',
  'convo.summaryMaxTokens': 'summary.maxTokens',
  'derive.leftoversMs': 'derive.rescanIntervalMs',
  'recall.leastSimilarity': 'recall.minSimilarity',
  'rag.memoryBudget': 'context.memoryTokens',
  'chat.maxTokens': 'chat.maxAnswerTokens',
})

/** Former options that are internal constants under another name today. */
const REMOVED: readonly string[] = [
  'context.tailLeast',
  'convo.summaryKeepMessages',
  'topics.live',
  'jobs.atOnce',
  'jobs.attempts',
  'convo.summaryTailShare',
  'convo.summaryWindowShare',
  'convo.summaryLeastMessages',
  'topics.recentKept',
  'topics.longestHalfLifeDays',
  'jobs.longestWaitMs',
  'recall.read',
  'recall.relativesWeight',
  'recall.substanceWeight',
]

/** Paths that were options in an earlier version and are fixed today. */
export function listRemovedOptions(): readonly string[] {
  const open = new Set(listPaths(PUBLIC_DEFAULTS))
  return [...listPaths(DEFAULTS).filter((path) => !open.has(path)), ...REMOVED]
}

function listPaths(group: object, prefix = ''): string[] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'object' ? listPaths(value, `${prefix}${name}.`) : [prefix + name],
  )
}

/** What an option's name of an earlier version is called today; undefined for a name that never was one. */
export function describeOldName(
  path: string,
  nameOf: (path: string) => string = (name) => name,
): string | undefined {
  const renamed = RENAMED_OPTIONS[path]
  if (renamed !== undefined) return `${nameOf(path)} is now called ${nameOf(renamed)}`
  return listRemovedOptions().includes(path)
    ? `${nameOf(path)} is no longer an option and is ignored: its value is fixed now`
    : undefined
}

const warned = new Set<string>()

export function warnOnce(message: string): void {
  if (warned.has(message)) return
  warned.add(message)
  process.emitWarning(message, 'RecollectWarning')
}

export type Leaf = string | number
export interface Group {
  readonly [name: string]: Leaf | Group
}

const CHOICES: Record<string, readonly string[]> = {
  durability: ['full', 'relaxed'],
  tokenizer: TOKENIZER_NAMES,
  'postgres.pooling': ['auto', 'session', 'transaction'],
  'derive.when': ['at-once', 'background', 'never'],
  'derive.by': ['model', 'built-in'],
  'context.window': Object.keys(WINDOWS),
  'models.embeddings.pooling': ['mean', 'cls', 'last_token'],
  'chat.persist': ['on', 'off'],
  'summary.rolling': ['on', 'off'],
}

/** Any number from 0 up. */
const WEIGHT = /Weight$/

/** 0 to 1; every other number is an integer. */
const SHARES: ReadonlySet<string> = new Set([
  'context.tailStep',
  'summary.tailShare',
  'summary.windowShare',
  'topics.sameSimilarity',
  'topics.recencyDecay',
  'topics.wholeShare',
  'topics.nextMessageShare',
  'topics.importance',
  'topics.archiveBelow',
  'recall.minSimilarity',
  'rag.threshold',
  'models.embeddings.sameTopicSimilarity',
  'models.embeddings.unrelatedSimilarity',
])

/** Options that must be at least 1. */
const AT_LEAST_ONE: ReadonlySet<string> = new Set([
  'summary.everyNMessages',
  'summary.maxTokens',
  'derive.cachedConversations',
  'recall.limit',
  'rag.topK',
  'rag.finalChunks',
  'jobs.concurrency',
  'jobs.maxAttempts',
  'jobs.leaseMs',
  'postgres.poolSize',
  'postgres.connectTimeoutMs',
  'vectors.timeoutMs',
  'models.timeoutMs',
  'models.concurrency',
])

const MINIMUM: Readonly<Record<string, number>> = {
  'rag.chunkSize': 20, // below a sentence
}

/** Values that error messages must not contain: keys, and URLs, which may contain a password. */
const SECRETS = /\.(?:key|\w*url)$/i

const TUNING = Symbol('recollect.tuning')

/** Overrides of internal constants, group by group, for evals and tests. */
export type Tuning = {
  readonly [Name in keyof ResolvedConfig]?: ResolvedConfig[Name] extends object ? object : never
}

/** The options with internal constants overridden. Not part of the public API. */
export function withTuning<Config extends object>(options: Config, tuning: Tuning): Config {
  return Object.assign({ ...options }, { [TUNING]: tuning })
}

/** Fills in defaults and rejects unknown names and invalid values. Names of earlier versions print a warning. */
export function resolveConfig(options: MemoryConfig = {}): ResolvedConfig {
  const config = applyRenames(options as Group)
  rejectUnknown(PUBLIC_DEFAULTS as unknown as Group, config, '')
  const { [TUNING]: tuning = {} } = options as { readonly [TUNING]?: Group }
  return fill(DEFAULTS as unknown as Group, merge(config, tuning), '') as unknown as ResolvedConfig
}

/** The options under their present names; a present name wins over an old one. */
function applyRenames(options: Group): Group {
  const old: Record<string, unknown> = {}
  const present: Record<string, unknown> = {}
  for (const [path, value] of listLeaves(options)) {
    const warning = describeOldName(path, (name) => `the option "${name}"`)
    const renamed = RENAMED_OPTIONS[path]
    if (warning === undefined) setPath(present, path, value)
    else warnOnce(warning)
    if (renamed !== undefined) setPath(old, renamed, value)
  }
  return merge(old as Group, present as Group)
}

function listLeaves(group: Group, prefix = ''): [string, Leaf | Group][] {
  return Object.entries(group).flatMap(([name, value]) =>
    isGroup(value) ? listLeaves(value, `${prefix}${name}.`) : [[prefix + name, value] as [string, Leaf]],
  )
}

/** Sets `limits.tags` in a nested object. */
export function setPath(target: Record<string, unknown>, path: string, value: unknown): void {
  const [head = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    target[head] = value
    return
  }
  target[head] ??= {}
  setPath(target[head] as Record<string, unknown>, rest.join('.'), value)
}

/** The second group wins where both have a value. */
function merge(one: Group, other: Group): Group {
  const merged: Record<string, Leaf | Group> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = merged[name]
    merged[name] = isGroup(before) && isGroup(value) ? merge(before, value) : value
  }
  return merged
}

const isGroup = (value: unknown): value is Group => typeof value === 'object' && value !== null

function rejectUnknown(known: Group, options: Group, path: string): void {
  for (const [name, value] of Object.entries(options)) {
    const group = known[name]
    if (group === undefined) throw refuse(`unknown option "${path}${name}"`, Object.keys(known).join(', '))
    if (isGroup(group) && isGroup(value)) rejectUnknown(group, value, `${path}${name}.`)
  }
}

function fill(defaults: Group, options: Group, path: string): Group {
  const filled = Object.entries(defaults).map(([name, fallback]): [string, Leaf | Group] => {
    const value = options[name]
    if (typeof fallback === 'object')
      return [name, fill(fallback, toGroup(value, path + name), `${path}${name}.`)]
    return [name, value === undefined ? fallback : checkLeaf(path + name, value, fallback)]
  })
  return Object.freeze(Object.fromEntries(filled))
}

function toGroup(value: Leaf | Group | undefined, path: string): Group {
  if (value === undefined) return {}
  if (isGroup(value)) return value
  throw refuse(`the option "${path}" must be an object`)
}

function checkLeaf(path: string, value: Leaf | Group, fallback: Leaf): Leaf {
  const choices = CHOICES[path]
  if (choices?.includes(value as string)) return value as string
  if (isGoodNumber(path, value) && (path === 'context.window' || typeof fallback === 'number')) return value
  const isText = choices === undefined && typeof fallback === 'string' && typeof value === 'string'
  // An option whose default is empty may be set to empty.
  if (isText && (value !== '' || fallback === '')) return value
  const shown = SECRETS.test(path) ? `of type ${typeof value}` : JSON.stringify(value)
  throw refuse(`invalid value for the option "${path}": ${shown}`, choices?.join(', '))
}

function isGoodNumber(path: string, value: Leaf | Group): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (SHARES.has(path)) return value >= 0 && value <= 1
  if (WEIGHT.test(path)) return value >= 0
  return Number.isSafeInteger(value) && value >= (MINIMUM[path] ?? (AT_LEAST_ONE.has(path) ? 1 : 0))
}

export function refuse(message: string, allowed?: string): MemoryError {
  return new MemoryError(
    'invalid-input',
    message,
    allowed === undefined ? {} : { hint: `possible values: ${allowed}` },
  )
}
