// Retention on a schedule, only if it is configured: when the server starts and then once a day, conversations that
// are not used any more are archived or erased, old queries of pages are erased, and a backup is made of which the
// newest few are kept. Several servers may run it: what one has done, the others no longer find.

import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { definedFields } from '../domain/defined-fields.ts'
import { type Memory, MemoryError, type Workspace } from '../index.ts'

export interface RetentionOptions {
  /** Conversations unused for this many days are archived; pinned ones stay. 0: none. @default 0 */
  readonly unusedDays?: number
  /** Archiving hides conversations and can be undone; erasing cannot. @default "archive" */
  readonly action?: 'archive' | 'erase'
  /** Queries of pages older than this many days are erased; important ones stay. 0: none. @default 0 */
  readonly queryDays?: number
  /** A folder for backups of a database file. Empty: no backups. @default "" */
  readonly backupFolder?: string
  /** How many of these backups are kept. @default 7 */
  readonly backupsKept?: number
  /** Only logs and reports what would be done. @default false */
  readonly dryRun?: boolean
  /** @default 86400000 */
  readonly everyMs?: number
}

/** What one run did or, in a dry run, would do. */
export interface RetentionRun {
  readonly at: Date
  readonly isDryRun: boolean
  readonly conversations: number
  readonly queries: number
  /** Backups that were deleted. */
  readonly backups: number
  /** The first thing that failed. */
  readonly problem?: string
}

const DEFAULTS: Required<RetentionOptions> = Object.freeze({
  unusedDays: 0,
  action: 'archive', // can be undone
  queryDays: 0,
  backupFolder: '',
  backupsKept: 7, // a week
  dryRun: false,
  everyMs: 86_400_000, // ages are counted in days
})
/** Of a timer. */
const MAX_EVERY_MS = 2 ** 31 - 1

export function resolveRetention(options: RetentionOptions = {}): Required<RetentionOptions> {
  const resolved = { ...DEFAULTS, ...definedFields(options) } as Required<RetentionOptions>
  for (const name of ['unusedDays', 'queryDays', 'backupsKept', 'everyMs'] as const) {
    const least = name === 'backupsKept' || name === 'everyMs' ? 1 : 0
    if (!(Number.isFinite(resolved[name]) && resolved[name] >= least && resolved[name] <= MAX_EVERY_MS))
      throw new MemoryError('invalid-input', `invalid value for retention.${name}: ${resolved[name]}`)
  }
  if (resolved.action !== 'archive' && resolved.action !== 'erase')
    throw new MemoryError('invalid-input', `unknown retention.action "${resolved.action}"`, {
      hint: 'archive or erase',
    })
  return resolved
}

interface RetentionDeps {
  readonly memory: Memory
  readonly log: { note(message: string): void; warn(message: string): void }
  readonly now: () => Date
}

export class Retention {
  readonly #deps: RetentionDeps
  readonly #options: Required<RetentionOptions>
  #timer: ReturnType<typeof setInterval> | undefined
  #running: Promise<RetentionRun> | undefined
  #isStopped = false
  /** Undefined before the first run has ended. */
  last: RetentionRun | undefined

  constructor(deps: RetentionDeps, options: Required<RetentionOptions>) {
    this.#deps = deps
    this.#options = options
  }

  get isOn(): boolean {
    const { unusedDays, queryDays, backupFolder } = this.#options
    return unusedDays > 0 || queryDays > 0 || backupFolder !== ''
  }

  /** Runs now and then at every interval; does nothing if nothing is configured. */
  start(): void {
    if (!this.isOn) return
    this.#timer = setInterval(() => void this.run(), this.#options.everyMs)
    this.#timer.unref()
    void this.run()
  }

  /** Waits for a run in progress, which ends at the next workspace. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  /** Never rejects: the result has the problem. */
  run(): Promise<RetentionRun> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(): Promise<RetentionRun> {
    const { log, now } = this.#deps
    const { dryRun: isDryRun } = this.#options
    const counts = { conversations: 0, queries: 0, backups: 0 }
    const problems: string[] = []
    const attempt = async (work: () => Promise<void>) => {
      if (!this.#isStopped) await work().catch((error: unknown) => problems.push(String(error)))
    }
    // First, so that it has what is erased afterwards.
    await attempt(async () => {
      counts.backups = await this.#backUp()
    })
    // Without the backup, nothing is erased.
    if (problems.length === 0) await attempt(() => this.#pruneAll(counts))
    const [problem] = problems
    this.last = { at: now(), isDryRun, ...counts, ...definedFields({ problem }) }
    log.note(describeRun(this.last, this.#options.action))
    if (problem !== undefined) log.warn(`retention: ${problem}`)
    return this.last
  }

  async #pruneAll(counts: { conversations: number; queries: number }): Promise<void> {
    const { memory } = this.#deps
    for await (const id of memory.workspaces.list()) {
      if (this.#isStopped) return
      await this.#prune(memory.workspace(id), counts)
    }
  }

  async #prune(workspace: Workspace, counts: { conversations: number; queries: number }): Promise<void> {
    const { unusedDays, action, queryDays, dryRun } = this.#options
    if (unusedDays > 0)
      counts.conversations += (await workspace.prune({ unusedDays, action, dryRun })).conversations.length
    if (queryDays > 0)
      counts.queries += (await workspace.queries.prune({ olderThanDays: queryDays, dryRun })).queries.length
  }

  /** Returns how many old backups were deleted. Only files with the names of these backups are. */
  async #backUp(): Promise<number> {
    const { memory, now } = this.#deps
    const { backupFolder, backupsKept, everyMs, dryRun } = this.#options
    if (backupFolder === '') return 0
    if (!dryRun) await mkdir(backupFolder, { recursive: true, mode: 0o700 })
    const there = await listBackups(backupFolder)
    const newest = there.at(-1)
    // A server that restarts often must not push out the older ones.
    if (newest !== undefined && now().getTime() - toTime(newest) < everyMs / 2) return 0
    const name = toName(now())
    if (!dryRun) await memory.maintenance.backup(join(backupFolder, name))
    const old = [...there, name].slice(0, -backupsKept)
    if (!dryRun) for (const file of old) await rm(join(backupFolder, file), { force: true })
    return old.length
  }
}

const BACKUP = /^recollect-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z\.db$/

/** `recollect-2026-05-01T12-00-00Z.db`: Windows allows no colons. */
const toName = (at: Date): string => `recollect-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

const toTime = (name: string): number => Date.parse(name.replace(BACKUP, '$1:$2:$3Z'))

/** Oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => [])
  return files.filter((file) => BACKUP.test(file)).toSorted()
}

function describeRun({ isDryRun, conversations, queries, backups }: RetentionRun, action: string): string {
  const would = isDryRun ? 'dry run, would have ' : ''
  const done = action === 'erase' ? 'erased' : 'archived'
  return `retention: ${would}${done} ${conversations} conversations, erased ${queries} queries of pages, deleted ${backups} backups`
}
