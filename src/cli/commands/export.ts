import { once } from 'node:events'
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type CopiedWorkspace, configFromEnvironment, MemoryError, openMemory } from '../../index.ts'
import { dim, interruptible, Progress, print, printJson, yellow } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface ExportFlags {
  readonly format: 'json' | 'markdown'
  readonly out?: string
}

export function exportCommand(): Command {
  return newCommand(
    'export',
    'Export one conversation or all: JSON can be imported again, Markdown is for reading.',
  )
    .argument('[conversation]', 'id of the conversation (default: all)')
    .addOption(new Option('--format <format>', 'output format').choices(['json', 'markdown']).default('json'))
    .option('--out <file>', 'file to write to (default: standard output)')
    .addHelpText(
      'after',
      '\nExamples:\n  recollect export --out everything.json\n  recollect export trip --format markdown',
    )
    .action((id: string | undefined, { format, out }: ExportFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const progress = new Progress('Exporting')
        const pieces = memory.export({
          format,
          ...definedFields({ conversationId: id }),
          ...(out !== undefined && id === undefined && { onProgress: progress.show }),
        })
        const bytes = await interruptible(stopped(out), ({ check }) =>
          out === undefined
            ? writePieces(pieces, process.stdout, check)
            : writeFile(pieces, out, check).finally(() => progress.end()),
        )
        if (out === undefined) return
        if (isJson) printJson({ file: out, bytes })
        else print(`Wrote ${out}`)
      }),
    )
}

const stopped = (out: string | undefined): string =>
  out === undefined ? 'The export is incomplete. Run the command again.' : `${out} was not written.`

/** Writes to a temporary name first, so that an incomplete export never replaces a complete one. */
async function writeFile(pieces: AsyncIterable<string>, path: string, check: () => void): Promise<number> {
  const isPlain = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true
  const partial = isPlain ? `${path}.partial` : path
  const stream = createWriteStream(partial, { mode: 0o600 })
  try {
    const failed = once(stream, 'error').then(([error]) => Promise.reject(error))
    const bytes = await Promise.race([writePieces(pieces, stream, check), failed])
    stream.end()
    await finished(stream)
    if (isPlain) renameSync(partial, path)
    return bytes
  } catch (error) {
    stream.destroy()
    if (isPlain) rmSync(partial, { force: true })
    throw toFailure(error, path)
  }
}

function toFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new MemoryError('invalid-input', `can't write ${path}`, { hint: error.message, cause: error })
}

/** Waits for the stream to drain when its reader is slower. */
async function writePieces(
  pieces: AsyncIterable<string>,
  stream: NodeJS.WritableStream,
  check: () => void,
): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) {
    check()
    bytes += Buffer.byteLength(piece)
    if (!stream.write(piece)) await once(stream, 'drain')
  }
  return bytes
}

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
