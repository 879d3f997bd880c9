import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Finding, ModelCheck } from '../../index.ts'
import { green, print, printJson, red } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function doctorCommand(): Command {
  return newCommand(
    'doctor',
    'Check the database for damage, test the models, and suggest a fix for each problem; changes nothing.',
  )
    .addHelpText('after', '\nExits with code 3 if it finds problems.')
    .action((_flags: object, command: Command) =>
      withMemory(
        command,
        { mayCreate: false, mayDerive: false, mayFindModel: true },
        async ({ memory, isJson }) => {
          const [findings, models] = [await memory.maintenance.check(), await memory.models.check()]
          if ([...findings, ...models].some(({ problem }) => problem !== undefined)) process.exitCode = 3
          if (isJson) printJson({ location: memory.location, findings, models })
          else printFindings([...findings, ...models.map(toFinding)])
        },
      ),
    )
}

const KINDS: Readonly<Record<ModelCheck['model'], string>> = {
  chat: 'chat model',
  embeddings: 'embedding model',
}

function toFinding({ model, name, ms, problem, remedy }: ModelCheck): Finding {
  if (problem !== undefined) return { check: KINDS[model], ...definedFields({ problem, remedy }) }
  return { check: `${KINDS[model]} ${name ?? ''} responds in ${ms} ms` }
}

function printFindings(findings: readonly Finding[]): void {
  for (const { check, problem, remedy } of findings) {
    if (problem === undefined) print(`${green('✓')} ${check}`)
    else print(`${red('✗')} ${check}: ${problem}`, `  → ${remedy}`)
  }
}
