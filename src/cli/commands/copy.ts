import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type CopiedWorkspace, configFromEnvironment, MemoryError, openMemory } from '../../index.ts'
import { Progress } from '../progress.ts'
import { dim, print, printJson, yellow } from '../terminal.ts'
import { newCommand } from '../with-memory.ts'

/** Something is not the same on both sides. */
const EXIT_INCOMPLETE = 4

const HELP = `
Conversations with their messages, pages, queries, documents, edits and keys are copied, and compared afterwards. Topics,
facts and summaries are worked out anew by whoever opens the copy. Nothing is written twice: a copy that broke off is
ended by running it again.

Examples:
  recollect copy memory.db postgres://app@localhost/memory
  recollect copy postgres://app@localhost/memory backup.db --workspace team`

export function copyCommand(): Command {
  return newCommand('copy', 'Copy a memory from one store to another, and compare them.')
    .argument('<from>', 'a file, or postgres://user@host/database')
    .argument('<to>', 'the same; made if it is missing')
    .addHelpText('after', HELP)
    .action(async (from: string, to: string, _flags: unknown, command: Command) => {
      const { workspace, json } = command.optsWithGlobals<{ workspace?: string; json?: boolean }>()
      if (!from.includes('://') && !existsSync(from))
        throw new MemoryError('not-found', `there is no memory at ${from}`)
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
    `${workspace}: ${conversations + forks} conversations, ${messages} messages, ${pages} pages, ${queries} queries, ${documents} documents, ${edits} edits, ${keys} keys are new${known > 0 ? dim(` · ${known} were there`) : ''}`,
    differences.length === 0
      ? `  compared: ${verifiedMessages} messages are the same on both sides`
      : yellow(`  compared: ${differences.length} differences`),
    ...differences.slice(0, 20).map((difference) => `    ${difference}`),
  )
}
