#!/usr/bin/env node
import { type Command, CommanderError } from 'commander'
import { isMemoryError } from '../index.ts'
import { createProgram } from './program.ts'
import { dim, Interrupted, red } from './terminal.ts'

const program = createProgram()
for (const command of withParts(program)) command.exitOverride()

// A reader such as `head` that closes the pipe early is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

function withParts(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withParts)]
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Interrupted) {
    process.stderr.write(`Stopped. ${error.message}\n`)
    return error.exitCode
  }
  const isVerbose = program.opts<{ verbose?: boolean }>().verbose === true
  if (!isMemoryError(error)) {
    process.stderr.write(
      `${red('Unexpected error (this is a bug in Recollect):')} ${error instanceof Error ? error.stack : String(error)}\n`,
    )
    return 1
  }
  process.stderr.write(`${red('error:')} ${error.message}\n`)
  if (error.hint !== undefined) process.stderr.write(`${dim(error.hint)}\n`)
  if (isVerbose)
    process.stderr.write(
      `${error.stack}\n${error.cause === undefined ? '' : `caused by ${String(error.cause)}\n`}`,
    )
  return 1
}
