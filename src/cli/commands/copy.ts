import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type CopiedWorkspace, configFromEnvironment, MemoryError, openMemory } from '../../index.ts'
import { dim, Progress, print, printJson, yellow } from '../terminal.ts'
import { newCommand } from '../with-memory.ts'

/** The two sides differ. */
const EXIT_INCOMPLETE = 4

const HELP = `
Copies conversations with their messages, pages, queries, documents, edits and keys, then compares both sides. Topics,
facts and summaries are derived again when the copy is opened. If a copy is interrupted, run the command again: nothing
is written twice.

Examples:
  recollect copy memory.db postgres://app@localhost/memory
  recollect copy postgres://app@localhost/memory backup.db --workspace team`

export function copyCommand(): Command {
  return newCommand('copy', 'Copy a memory to another database and verify the copy.')
    .argument('<from>', 'a file, or postgres://user@host/database')
    .argument('<to>', 'a file or database as above; created if it does not exist')
    .addHelpText('after', HELP)
    .action(async (from: string, to: string, _flags: unknown, command: Command) => {
      const { workspace, json } = command.optsWithGlobals<{ workspace?: string; json?: boolean }>()
      if (!from.includes('://') && !existsSync(from))
        throw new MemoryError('not-found', `no memory at ${from}`)
      const copied = await copyShowing({
        from,
        to,
        ...definedFields({ workspaces: workspace === undefined ? undefined : [workspace] }),
      })
      if (json === true) printJson({ workspaces: copied })
      else for (const one of copied) printCopied(one)
      if (copied.some(({ differences }) => differences.length > 0)) process.exitCode = EXIT_INCOMPLETE
    })
}

async function copyShowing({
  from,
  to,
  ...options
}: {
  readonly from: string
  readonly to: string
  readonly workspaces?: readonly string[]
}): Promise<readonly CopiedWorkspace[]> {
  const progress = new Progress('Copying')
  try {
    // Nothing is derived meanwhile: that is left to the next program that opens the copy.
    const config = configFromEnvironment(process.env)
    const open = (location: string) =>
      openMemory(location, { ...config, derive: { ...config.derive, when: 'never' } })
    await using source = await open(from)
    await using target = await open(to)
    return await source.copyTo(target, {
      ...options,
      onProgress: (_workspace, done, total) => progress.show(done, total),
    })
  } finally {
    progress.end()
  }
}

function printCopied({
  workspace,
  conversations,
  forks,
  messages,
  known,
  verifiedMessages,
  ...rest
}: CopiedWorkspace): void {
  const { pages, queries, documents, edits, keys, differences } = rest
  print(
    `${workspace}: ${conversations + forks} conversations, ${messages} messages, ${pages} pages, ${queries} queries, ${documents} documents, ${edits} edits, ${keys} keys copied${known > 0 ? dim(` · ${known} already there`) : ''}`,
    differences.length === 0
      ? `  verified: ${verifiedMessages} messages are identical`
      : yellow(`  verified: ${differences.length} differences`),
    ...differences.slice(0, 20).map((difference) => `    ${difference}`),
  )
}
