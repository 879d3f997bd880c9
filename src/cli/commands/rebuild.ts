import type { Command } from 'commander'
import { interruptible } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

const STOPPED =
  'Messages and documents are untouched; of the rest, what was not made anew is as before. To finish: recollect rebuild'

export function rebuildCommand(): Command {
  return newCommand(
    'rebuild',
    'Make everything that is derived anew from messages and documents: topics, facts, chunks, counts, search index.',
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
          problems.length === 0 ? 'Rebuilt; all is well.' : 'Rebuilt; problems are left: recollect doctor',
        )
    }),
  )
}
