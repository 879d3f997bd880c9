import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { given } from '../../given.ts'
import { Progress } from '../progress.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface ExportFlags {
  readonly format: 'json' | 'markdown'
  readonly out?: string
}

export function exportCommand(): Command {
  return newCommand(
    'export',
    'Write one conversation or all: JSON imports back without loss, Markdown is for people.',
  )
    .argument('[conversation]', 'id of a conversation; all when left out')
    .addOption(new Option('--format <format>', 'the format').choices(['json', 'markdown']).default('json'))
    .option('--out <file>', 'a file (standard output)')
    .addHelpText(
      'after',
      '\nExamples:\n  recollect export --out everything.json\n  recollect export trip --format markdown',
    )
    .action((id: string | undefined, { format, out }: ExportFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const progress = new Progress('Exporting')
        const pieces = memory.export({
          format,
          ...given({ conversationId: id }),
          ...(out !== undefined && id === undefined && { onProgress: progress.show }),
        })
        const bytes = await writePieces(pieces, out)
        progress.end()
        if (out === undefined) return
        if (isJson) printJson({ file: out, bytes })
        else print(`Wrote ${out}`)
      }),
    )
}

/** Waits whenever the reader of the stream is slower than we are. */
async function writePieces(pieces: AsyncIterable<string>, path: string | undefined): Promise<number> {
  const stream = path === undefined ? process.stdout : createWriteStream(path, { mode: 0o600 })
  let bytes = 0
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece)
    if (!stream.write(piece)) await once(stream, 'drain')
  }
  if (path !== undefined) {
    stream.end()
    await finished(stream)
  }
  return bytes
}
