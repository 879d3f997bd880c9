import type { Command } from 'commander'
import type { StoreStatistics } from '../../index.ts'
import { formatBytes, formatCount, print, printJson, yellow } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

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
