// Options of earlier versions. A renamed option still works; a removed one is ignored. Both print a warning once.

import { DEFAULTS, PUBLIC_DEFAULTS } from './options.ts'

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
