import type { Command } from 'commander'
import { interruptible } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

const STOPPED =
  'Messages and documents are unchanged, and the rest is partly rebuilt. To finish, run: recollect rebuild'

export function rebuildCommand(): Command {
  return newCommand(
    'rebuild',
    'Derive topics, facts, chunks, counts and the search index again from messages and documents.',
  ).action((_flags: object, command: Command) =>
    withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
      const progress = new Progress('Rebuilding')
      await interruptible(STOPPED, ({ check }) =>
        memory.maintenance
          .rebuild((done, total) => {
            check()
            progress.show(done, total)
          })
          .finally(() => progress.end()),
      )
      const problems = (await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)
      if (isJson) printJson({ problems })
      else
        print(
          problems.length === 0
            ? 'Rebuilt. No problems found.'
            : 'Rebuilt, but problems remain. See: recollect doctor',
        )
    }),
  )
}
