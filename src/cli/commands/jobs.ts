import type { Command } from 'commander'
import type { Job, Memory } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { clip, countOf, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

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
