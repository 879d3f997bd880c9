import type { Command } from 'commander'
import { Progress } from '../progress.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function rebuildCommand(): Command {
  return newCommand(
    'rebuild',
    'Make everything that is derived anew from messages and documents: topics, facts, chunks, counts, search index.',
  ).action((_flags: object, command: Command) =>
    withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
      const progress = new Progress('Rebuilding')
      await memory.rebuild(progress.show)
      progress.end()
      const problems = (await memory.check()).filter(({ problem }) => problem !== undefined)
      if (isJson) printJson({ problems })
      else
        print(
          problems.length === 0 ? 'Rebuilt; all is well.' : 'Rebuilt; problems are left: recollect doctor',
        )
    }),
  )
}
