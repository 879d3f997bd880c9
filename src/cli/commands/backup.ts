import type { Command } from 'commander'
import { interruptible } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function backupCommand(): Command {
  return newCommand('backup', 'Write a checked copy of the whole file, while others go on using it.')
    .argument('<file>', 'where to; must not exist yet')
    .action((file: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson, path }) => {
        const progress = new Progress('Copying')
        await interruptible('No copy was made; the memory is as before.', ({ check }) =>
          memory.maintenance
            .backup(file, (done, total) => {
              check()
              progress.show(done, total)
            })
            .finally(() => progress.end()),
        )
        if (isJson) printJson({ from: path, to: file })
        else print(`Copied ${path} to ${file} and checked the copy.`)
      }),
    )
}
