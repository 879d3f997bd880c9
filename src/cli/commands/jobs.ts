import type { Command } from 'commander'
import type { Job, Memory } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { clip, formatCount, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface JobFlags {
  readonly dead?: boolean
  readonly retry?: boolean
  readonly limit: number
}

export function jobsCommand(): Command {
  return newCommand('jobs', 'List work for models that waits or was given up, and why.')
    .option('--dead', 'only what was given up')
    .option('--retry', 'let what was given up be tried again')
    .option('--limit <number>', 'how many', toCount, 50)
    .action((flags: JobFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, ({ memory, isJson }) =>
        flags.retry === true ? retryJobs(memory, isJson) : listJobs(memory, flags, isJson),
      ),
    )
}

async function listJobs(memory: Memory, { dead = false, limit }: JobFlags, isJson: boolean): Promise<void> {
  const jobs = (await memory.jobs.list({ limit, ...(dead && { state: 'dead' }) })).items
  if (isJson) return printJson(jobs)
  if (jobs.length === 0) return print(dead ? 'Nothing was given up.' : 'No work waits.')
  printTable([['conversation', 'kind', 'state', 'failures', 'next try', 'last error'], ...jobs.map(toRow)])
}

async function retryJobs(memory: Memory, isJson: boolean): Promise<void> {
  const revived = await memory.jobs.retry()
  if (isJson) printJson({ revived })
  else print(revived === 0 ? 'Nothing was given up.' : `${formatCount(revived)} jobs wait again.`)
}

function toRow(job: Job): readonly string[] {
  const nextTry = job.state === 'dead' ? '-' : formatTime(job.runAt)
  const error = clip(job.error ?? '-', 60)
  return [clip(job.conversation, 30), job.kind, job.state, String(job.failures), nextTry, error]
}
