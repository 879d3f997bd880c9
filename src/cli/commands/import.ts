import { createReadStream, statSync } from 'node:fs'
import type { Command } from 'commander'
import { type Imported, MemoryError } from '../../index.ts'
import { Progress } from '../progress.ts'
import { formatCount, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function importCommand(): Command {
  return newCommand('import', 'Read what `recollect export` wrote; running it twice adds nothing.')
    .argument('<file>', 'a JSON export, or - for standard input')
    .option('--dry-run', 'tell what would come, and write nothing')
    .action((file: string, { dryRun = false }: { dryRun?: boolean }, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const progress = new Progress('Importing')
        const imported = await memory.import(readPieces(file, progress), { isDryRun: dryRun })
        progress.end()
        if (isJson) printJson({ ...imported, isDryRun: dryRun })
        else printImported(imported, dryRun)
      }),
    )
}

function printImported(
  { conversations, messages, known, edits, pages, queries, documents }: Imported,
  isDryRun: boolean,
) {
  const parts = [
    `${formatCount(conversations)} conversations and ${formatCount(messages)} messages`,
    ...(edits > 0 ? [`${formatCount(edits)} edits`] : []),
    ...(documents > 0 ? [`${formatCount(documents)} documents`] : []),
    ...(pages + queries > 0 ? [`${formatCount(pages)} pages with ${formatCount(queries)} queries`] : []),
  ]
  const before = known > 0 ? `; ${formatCount(known)} messages were there already.` : '.'
  print(`${isDryRun ? 'Would add' : 'Added'} ${parts.join(', ')}${before}`)
}

async function* readPieces(file: string, progress: Progress): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* process.stdin
    return
  }
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) throw new MemoryError('not-found', `there is no file ${file}`)
  let done = 0
  for await (const piece of createReadStream(file)) {
    yield piece
    done += piece.length
    progress.show(done, stat.size)
  }
}
