import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Memory, Pruned, PruneOptions } from '../../index.ts'
import { confirm, toCount } from '../arguments.ts'
import { ERASE_PENDING } from '../erase-pending.ts'
import { Progress } from '../progress.ts'
import { clip, countOf, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

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
