import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Finding, Job, Memory, ModelCheck, Pruned, PruneOptions, StoreStatistics } from '../../index.ts'
import { confirm, toCount } from '../arguments.ts'
import {
  clip,
  countOf,
  formatBytes,
  formatCount,
  formatTime,
  green,
  interruptible,
  Progress,
  print,
  printJson,
  printTable,
  red,
  yellow,
} from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'
import { ERASE_PENDING } from './erase.ts'

export function statsCommand(): Command {
  return newCommand('stats', 'Show how much is stored, and where.').action(
    (_flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const [statistics, workspaces] = await Promise.all([
          memory.statistics(),
          memory.workspaces.list().toArray(),
        ])
        if (isJson)
          return printJson({
            location: memory.location,
            workspace: memory.workspaceId,
            workspaces,
            ...statistics,
          })
        print(`database        ${memory.location} (${formatBytes(statistics.storageBytes)})`)
        print(`workspace       ${memory.workspaceId} (of ${workspaces.length})`)
        printCounts(statistics)
      }),
  )
}

function printCounts(statistics: StoreStatistics): void {
  const count = (name: keyof StoreStatistics) => formatCount(statistics[name])
  print(`conversations   ${count('conversations')} (${count('archivedConversations')} archived)`)
  print(`messages        ${count('messages')} (${count('erasedMessages')} erased)`)
  print(`compressed      ${count('compressedMessages')} (${formatBytes(statistics.savedBytes)} saved)`)
  print(`tokens          ${count('tokens')}`)
  print(`receipts        ${count('receipts')}`)
  print(`topics          ${count('topics')}`)
  print(`summaries       ${count('summaries')}`)
  print(`statements      ${count('statements')}`)
  print(`entities        ${count('entities')}`)
  print(`edits           ${count('edits')}`)
  print(`pages           ${count('pages')} (${count('queries')} queries)`)
  print(`documents       ${count('documents')} (${count('chunks')} chunks)`)
  const jobs = `${count('waitingJobs')} waiting, ${count('runningJobs')} running`
  const dead =
    statistics.deadJobs === 0 ? '' : yellow(`, ${count('deadJobs')} failed (see recollect jobs --dead)`)
  print(`jobs            ${jobs}${dead}`)
}

export function doctorCommand(): Command {
  return newCommand(
    'doctor',
    'Check the database for damage, test the models, and suggest a fix for each problem; changes nothing.',
  )
    .addHelpText('after', '\nExits with code 3 if it finds problems.')
    .action((_flags: object, command: Command) =>
      withMemory(
        command,
        { mayCreate: false, mayDerive: false, mayFindModel: true },
        async ({ memory, isJson }) => {
          const [findings, models] = [await memory.maintenance.check(), await memory.models.check()]
          if ([...findings, ...models].some(({ problem }) => problem !== undefined)) process.exitCode = 3
          if (isJson) printJson({ location: memory.location, findings, models })
          else printFindings([...findings, ...models.map(toFinding)])
        },
      ),
    )
}

const KINDS: Readonly<Record<ModelCheck['model'], string>> = {
  chat: 'chat model',
  embeddings: 'embedding model',
}

function toFinding({ model, name, ms, problem, remedy }: ModelCheck): Finding {
  if (problem !== undefined) return { check: KINDS[model], ...definedFields({ problem, remedy }) }
  return { check: `${KINDS[model]} ${name ?? ''} responds in ${ms} ms` }
}

function printFindings(findings: readonly Finding[]): void {
  for (const { check, problem, remedy } of findings) {
    if (problem === undefined) print(`${green('✓')} ${check}`)
    else print(`${red('✗')} ${check}: ${problem}`, `  → ${remedy}`)
  }
}

interface JobFlags {
  readonly dead?: boolean
  readonly retry?: boolean
  readonly limit: number
}

export function jobsCommand(): Command {
  return newCommand('jobs', 'List queued and failed model jobs with their errors.')
    .option('--dead', 'only failed jobs')
    .option('--retry', 'retry failed jobs')
    .option('--limit <number>', 'maximum number of results', toCount, 50)
    .action((flags: JobFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, ({ memory, isJson }) =>
        flags.retry === true ? retryJobs(memory, isJson) : listJobs(memory, flags, isJson),
      ),
    )
}

async function listJobs(memory: Memory, { dead = false, limit }: JobFlags, isJson: boolean): Promise<void> {
  const jobs = (await memory.jobs.list({ limit, ...(dead && { state: 'dead' }) })).items
  if (isJson) return printJson(jobs)
  if (jobs.length === 0) return print(dead ? 'No failed jobs.' : 'No jobs.')
  printTable([['conversation', 'kind', 'state', 'failures', 'next try', 'last error'], ...jobs.map(toRow)])
}

async function retryJobs(memory: Memory, isJson: boolean): Promise<void> {
  const revived = await memory.jobs.retry()
  if (isJson) printJson({ revived })
  else print(revived === 0 ? 'No failed jobs.' : `Retrying ${countOf(revived, 'job')}.`)
}

function toRow(job: Job): readonly string[] {
  const nextTry = job.state === 'dead' ? '-' : formatTime(job.runAt)
  const error = clip(job.error ?? '-', 60)
  return [clip(job.conversation, 30), job.kind, job.state, String(job.failures), nextTry, error]
}

const STOPPED =
  'Messages and documents are unchanged, and the rest is partly rebuilt. To finish, run: recollect rebuild'

export function rebuildCommand(): Command {
  return newCommand(
    'rebuild',
    'Derive topics, facts, chunks, counts and the search index again from messages and documents.',
  ).action((_flags: object, command: Command) =>
    withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
      const progress = new Progress('Rebuilding')
      await interruptible(STOPPED, ({ check }) =>
        memory.maintenance
          .rebuild((done, total) => {
            check()
            progress.show(done, total)
          })
          .finally(() => progress.end()),
      )
      const problems = (await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)
      if (isJson) printJson({ problems })
      else
        print(
          problems.length === 0
            ? 'Rebuilt. No problems found.'
            : 'Rebuilt, but problems remain. See: recollect doctor',
        )
    }),
  )
}

export function backupCommand(): Command {
  return newCommand('backup', 'Back up the database to a file while it is in use, and verify the copy.')
    .argument('<file>', 'path of the backup; must not exist yet')
    .action((file: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson, path }) => {
        const progress = new Progress('Copying')
        await interruptible('No backup was made, and the memory is unchanged.', ({ check }) =>
          memory.maintenance
            .backup(file, (done, total) => {
              check()
              progress.show(done, total)
            })
            .finally(() => progress.end()),
        )
        if (isJson) printJson({ from: path, to: file })
        else print(`Backed up ${path} to ${file} and verified the copy.`)
      }),
    )
}

interface PruneFlags {
  readonly unusedDays?: number
  readonly erase?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
}

export function pruneCommand(): Command {
  return newCommand(
    'prune',
    'Archive or erase conversations that have not been used for a while; pinned ones stay.',
  )
    .option('--unused-days <days>', 'days without use (default: 30)', toCount)
    .option('--erase', 'permanently erase instead of archiving')
    .option('--dry-run', 'list the conversations without changing anything')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', '\nExample:\n  recollect prune --unused-days 90 --dry-run')
    .action((flags: PruneFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const pruned = await pruneChosen(memory, flags)
        if (isJson) printJson(pruned)
        else printPruned(pruned)
      }),
    )
}

async function pruneChosen(memory: Memory, flags: PruneFlags): Promise<Pruned> {
  const { unusedDays, erase = false, dryRun = false, yes = false } = flags
  const request: PruneOptions = { ...definedFields({ unusedDays }), action: erase ? 'erase' : 'archive' }
  const { conversations, ...found } = await memory.prune({ ...request, dryRun: true })
  if (dryRun || conversations.length === 0) return { conversations, ...found, isDryRun: dryRun }
  if (erase)
    await confirm(`Erase ${countOf(conversations.length, 'conversation')}? This can't be undone.`, yes)
  const progress = new Progress(erase ? 'Erasing' : 'Archiving')
  const pruned = await memory.prune({ ...request, onProgress: progress.show })
  progress.end()
  return pruned
}

function printPruned({ conversations, action, isDryRun, isScrubbed }: Pruned): void {
  const done = action === 'erase' ? 'erased' : 'archived'
  const tense = conversations.length === 1 ? 'was' : 'were'
  print(`${countOf(conversations.length, 'conversation')} ${isDryRun ? 'would be' : tense} ${done}.`)
  if (conversations.length === 0) return
  const rows = conversations.map(({ lastUsedAt, id, title }) => [
    formatTime(lastUsedAt),
    id,
    clip(title ?? '', 60),
  ])
  printTable([['last used', 'id', 'title'], ...rows])
  if (!isScrubbed) print(ERASE_PENDING)
}
