import { MemoryError } from '../domain/errors.ts'
import { TOKENIZER_NAMES } from '../model/tokenizer.ts'
import { WINDOWS } from './context-options.ts'
import { DEFAULTS, type MemoryConfig, type ResolvedConfig } from './options.ts'

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
}

/** Any number from 0 on. */
const WEIGHT = /Weight$/

/** 0 to 1; every other number is whole. */
const SHARES: ReadonlySet<string> = new Set([
  'context.tailStep',
  'convo.summaryTailShare',
  'convo.summaryWindowShare',
  'topics.sameSimilarity',
  'topics.recentKept',
  'topics.wholeShare',
  'topics.nextMessageShare',
  'topics.importance',
  'topics.archiveBelow',
  'recall.leastSimilarity',
  'rag.threshold',
  'models.embeddings.sameTopicSimilarity',
  'models.embeddings.unrelatedSimilarity',
])

/** Of these, 0 would be none at all. */
const AT_LEAST_ONE: ReadonlySet<string> = new Set([
  'convo.summaryEveryNMessages',
  'convo.summaryMaxTokens',
  'topics.accessesToDouble',
  'topics.keepLive',
  'derive.cachedConversations',
  'recall.limit',
  'recall.wordMatches',
  'recall.candidates',
  'recall.read',
  'rag.topK',
  'rag.finalChunks',
  'jobs.atOnce',
  'jobs.attempts',
  'jobs.leaseMs',
  'postgres.poolSize',
  'postgres.connectTimeoutMs',
  'vectors.timeoutMs',
  'vectors.writeTimeoutMs',
  'vectors.checkEveryMs',
  'models.timeoutMs',
  'models.concurrency',
  'models.circuitFailures',
  'models.responseBytes',
  'models.chat.requestCharacters',
  'models.embeddings.batchTexts',
  'models.embeddings.textCharacters',
  'models.rerank.textCharacters',
  'models.webSearch.excerptCharacters',
])

/** Of these, less makes no sense. */
const LEAST: Readonly<Record<string, number>> = {
  'rag.chunkSize': 20, // below a sentence
}

/** Never shown: keys are secret, and addresses may hold a password. */
const SECRETS = /\.(?:key|\w*url)$/i

/** Fills in what was left out and refuses what makes no sense. */
export function resolveConfig(options: MemoryConfig = {}): ResolvedConfig {
  return fill(DEFAULTS as unknown as Group, options as Group, '') as unknown as ResolvedConfig
}

function fill(defaults: Group, given: Group, path: string): Group {
  for (const name of Object.keys(given)) {
    if (!(name in defaults))
      throw refuse(`there is no option "${path}${name}"`, Object.keys(defaults).join(', '))
  }
  const filled = Object.entries(defaults).map(([name, fallback]): [string, Leaf | Group] => {
    const value = given[name]
    if (typeof fallback === 'object')
      return [name, fill(fallback, toGroup(value, path + name), `${path}${name}.`)]
    return [name, value === undefined ? fallback : checkLeaf(path + name, value, fallback)]
  })
  return Object.freeze(Object.fromEntries(filled))
}

function toGroup(value: Leaf | Group | undefined, path: string): Group {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null) return value
  throw refuse(`the option "${path}" takes an object`)
}

function checkLeaf(path: string, value: Leaf | Group, fallback: Leaf): Leaf {
  const choices = CHOICES[path]
  if (choices?.includes(value as string)) return value as string
  if (isGoodNumber(path, value) && (path === 'context.window' || typeof fallback === 'number')) return value
  const isText = choices === undefined && typeof fallback === 'string' && typeof value === 'string'
  // What is empty unless given may be given as empty.
  if (isText && (value !== '' || fallback === '')) return value
  const shown = SECRETS.test(path) ? `of type ${typeof value}` : JSON.stringify(value)
  throw refuse(`the option "${path}" cannot be ${shown}`, choices?.join(', '))
}

function isGoodNumber(path: string, value: Leaf | Group): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (SHARES.has(path)) return value >= 0 && value <= 1
  if (WEIGHT.test(path)) return value >= 0
  return Number.isSafeInteger(value) && value >= (LEAST[path] ?? (AT_LEAST_ONE.has(path) ? 1 : 0))
}

export function refuse(message: string, allowed?: string): MemoryError {
  return new MemoryError(
    'invalid-input',
    message,
    allowed === undefined ? {} : { hint: `possible: ${allowed}` },
  )
}
