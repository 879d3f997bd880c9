// Every option, its default and the reason for it. Filled in and checked once, here, when a memory is
// opened; further in, nothing is missing. `docs/reference/options.md` is generated from this file.

import { DEFAULT_WORKSPACE } from './domain/ids.ts'
import { MemoryError } from './errors.ts'
import { TOKENIZER_NAMES, type TokenizerName } from './model/tokenizer.ts'

export interface MemoryOptions {
  /** Whose memory it is. Several people or teams can share a store; none sees the others. @default "default" */
  readonly workspace?: string
  /** `full` survives a power cut; `relaxed` survives only a crash of the process, and writes faster. @default "full" */
  readonly durability?: 'full' | 'relaxed'
  /** How long to wait while another process writes, before giving up. @default 30000 */
  readonly busyTimeoutMs?: number
  /** `o200k` for OpenAI's current models, `cl100k` for older ones, `estimate` for Claude and Gemini. @default "o200k" */
  readonly tokenizer?: TokenizerName
  readonly context?: ContextOptions
  readonly retention?: RetentionOptions
  readonly notes?: NoteOptions
  readonly limits?: LimitOptions
}

export interface ContextOptions {
  /** How much a model takes: "12k", "128k" (120,000 and 8,000 for the answer), "262k" (260,000) or a number of tokens. @default "128k" */
  readonly window?: WindowName | number
  /** The tail's beginning moves in steps of this share of the budget, so that prompt caches hit in between. 0: every turn as much as fits. @default 0.125 */
  readonly tailStep?: number
  /** How many receipts are kept for each conversation. @default 500 */
  readonly receiptsKept?: number
}

export interface RetentionOptions {
  /** `prune` takes conversations that were not used for so many days. Nothing is pruned unless asked for. @default 30 */
  readonly unusedDays?: number
}

export interface NoteOptions {
  /** After how many days a note expires, unless it says so itself. 0: never. @default 30 */
  readonly expireDays?: number
}

export interface LimitOptions {
  /** The largest message, as JSON. @default 4194304 */
  readonly messageBytes?: number
  /** The most messages recorded in one call. @default 10000 */
  readonly batchMessages?: number
  /** The most parts of one message. @default 1000 */
  readonly messageParts?: number
  /** The longest id of a conversation, message, workspace or document, the longest key, speaker name and tag. @default 200 */
  readonly idCharacters?: number
  /** The longest title. @default 300 */
  readonly titleCharacters?: number
  /** The most tags of a conversation, and the most attached documents. @default 100 */
  readonly tags?: number
  /** The largest metadata, as JSON. @default 65536 */
  readonly metadataBytes?: number
  /** How deep metadata, tool arguments and tool results may nest. @default 32 */
  readonly depth?: number
  /** How far ahead of this machine's clock a message's time may lie. @default 86400000 */
  readonly futureMs?: number
  /** The longest value of a fact that is added or changed. @default 500 */
  readonly factCharacters?: number
  /** The longest note. @default 2000 */
  readonly noteCharacters?: number
  /** The largest preference set by the application, as JSON. @default 4096 */
  readonly preferenceBytes?: number
}

/** Usable tokens: what is left of the window after room for the answer. */
const WINDOWS: Readonly<Record<WindowName, number>> = Object.freeze({
  '12k': 12_000,
  '128k': 120_000, // 8,000 kept for the answer
  '262k': 260_000, // of 262,144
})
export type WindowName = '12k' | '128k' | '262k'

export type ResolvedLimits = Required<LimitOptions>
export type ResolvedContext = Required<ContextOptions>

/** Options with nothing left out. */
export interface ResolvedOptions extends Required<MemoryOptions> {
  readonly context: ResolvedContext
  readonly retention: Required<RetentionOptions>
  readonly notes: Required<NoteOptions>
  readonly limits: ResolvedLimits
}

const DEFAULTS: ResolvedOptions = Object.freeze({
  workspace: DEFAULT_WORKSPACE,
  durability: 'full', // an acknowledged word must survive a power cut: docs/decisions/0003
  busyTimeoutMs: 30_000, // an erase or rebuild of a large file by another process takes seconds
  tokenizer: 'o200k', // the current OpenAI family; close to most open models
  context: Object.freeze({
    window: '128k', // what most hosted models take
    tailStep: 0.125, // the prefix then holds for an eighth of the budget: docs/decisions/0005
    receiptsKept: 500, // a few hundred bytes each
  }),
  retention: Object.freeze({
    unusedDays: 30,
  }),
  notes: Object.freeze({
    expireDays: 30, // what a search found is stale after a month, if not before
  }),
  limits: Object.freeze({
    messageBytes: 4 * 1024 * 1024, // a book; files are references
    batchMessages: 10_000, // one transaction of about a second
    messageParts: 1000,
    idCharacters: 200,
    titleCharacters: 300,
    tags: 100,
    metadataBytes: 64 * 1024,
    depth: 32, // deeper is a loop or an attack
    futureMs: 86_400_000, // time zones mistaken for UTC stay within a day
    factCharacters: 500, // a sentence; what is longer is a document
    noteCharacters: 2000, // two or three excerpts, about 500 tokens
    preferenceBytes: 4096, // settings, not files: all of them may go into a prompt
  }),
})

type Leaf = string | number
interface Group {
  readonly [name: string]: Leaf | Group
}

const CHOICES: Record<string, readonly string[]> = {
  durability: ['full', 'relaxed'],
  tokenizer: TOKENIZER_NAMES,
  'context.window': Object.keys(WINDOWS),
}

/** Fills in what was left out and refuses what makes no sense. */
export function resolveOptions(options: MemoryOptions = {}): ResolvedOptions {
  return fill(DEFAULTS as unknown as Group, options as Group, '') as unknown as ResolvedOptions
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
  if (choices === undefined && typeof fallback === 'string' && typeof value === 'string' && value !== '')
    return value
  throw refuse(`the option "${path}" cannot be ${JSON.stringify(value)}`, choices?.join(', '))
}

function isGoodNumber(path: string, value: Leaf | Group): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  return path === 'context.tailStep' ? value >= 0 && value <= 1 : Number.isSafeInteger(value) && value >= 0
}

function refuse(message: string, allowed?: string): MemoryError {
  return new MemoryError(
    'invalid-input',
    message,
    allowed === undefined ? {} : { hint: `possible: ${allowed}` },
  )
}

/** The tokens that a window leaves for the request. */
export function usableTokens(window: WindowName | number): number {
  return typeof window === 'number' ? window : WINDOWS[window]
}

/** Every option's path and default, for the reference and for the environment. */
export function listOptions(): readonly { path: string; variable: string; fallback: string | number }[] {
  const walk = (group: Group, path: string): { path: string; variable: string; fallback: Leaf }[] =>
    Object.entries(group).flatMap(([name, value]) =>
      typeof value === 'object'
        ? walk(value, `${path}${name}.`)
        : [{ path: path + name, variable: toVariable(path + name), fallback: value }],
    )
  return walk(DEFAULTS as unknown as Group, '')
}

/** One rule for all: `limits.messageBytes` is `RECOLLECT_LIMITS_MESSAGE_BYTES`. */
function toVariable(path: string): string {
  const words = path.replaceAll('.', '_').replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
  return `RECOLLECT_${words.toUpperCase()}`
}

/** Options from environment variables; those that are not set are left out. */
export function optionsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): MemoryOptions {
  const options: Record<string, unknown> = {}
  for (const { path, variable, fallback } of listOptions()) {
    const text = environment[variable]
    if (text === undefined || text === '') continue
    setPath(options, path, toValue(text, typeof fallback === 'number' || path === 'context.window', variable))
  }
  return options as MemoryOptions
}

function toValue(text: string, mayBeNumber: boolean, variable: string): string | number {
  if (!mayBeNumber) return text
  const number = Number(text)
  if (!Number.isNaN(number)) return number
  if (text in WINDOWS) return text
  throw refuse(`${variable} must be a number, not "${text}"`)
}

function setPath(target: Record<string, unknown>, path: string, value: unknown): void {
  const [head = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    target[head] = value
    return
  }
  target[head] ??= {}
  setPath(target[head] as Record<string, unknown>, rest.join('.'), value)
}
