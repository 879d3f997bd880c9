import type { Command } from 'commander'
import type { Finding } from '../../index.ts'
import { green, print, printJson, red } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function doctorCommand(): Command {
  return newCommand(
    'doctor',
    'Check the file for damage and disagreement, and name a remedy for each; changes nothing.',
  )
    .addHelpText('after', '\nThe exit code is 3 when something is wrong.')
    .action((_flags: object, command: Command) =>
      withMemory(command, { mayCreate: false, mayDerive: false }, async ({ memory, isJson }) => {
        const findings = await memory.check()
        if (findings.some(({ problem }) => problem !== undefined)) process.exitCode = 3
        if (isJson) printJson({ location: memory.location, findings })
        else printFindings(findings)
      }),
    )
}

function printFindings(findings: readonly Finding[]): void {
  for (const { check, problem, remedy } of findings) {
    if (problem === undefined) print(`${green('✓')} ${check}`)
    else print(`${red('✗')} ${check}: ${problem}`, `  → ${remedy}`)
  }
}
