import type { Command } from 'commander'
import { interruptible } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function backupCommand(): Command {
  return newCommand('backup', 'Back up the database to a file while it is in use, and verify the copy.')
    .argument('<file>', 'path of the backup; must not exist yet')
    .action((file: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson, path }) => {
        const progress = new Progress('Copying')
        await interruptible('No backup was made, and the memory is unchanged.', ({ check }) =>
          memory.maintenance
            .backup(file, (done, total) => {
              check()
              progress.show(done, total)
            })
            .finally(() => progress.end()),
        )
        if (isJson) printJson({ from: path, to: file })
        else print(`Backed up ${path} to ${file} and verified the copy.`)
      }),
    )
}
