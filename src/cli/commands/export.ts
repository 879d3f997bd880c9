import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { MemoryError } from '../../index.ts'
import { interruptible, Progress, print, printJson } from '../terminal.ts'
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
