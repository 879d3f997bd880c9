import type { Command } from 'commander'
import { expect, test, vi } from 'vitest'
import { configFromEnvironment } from '../index.ts'
import { createProgram } from './program.ts'

const listVariables = (command: Command): string[] => [
  ...command.options.flatMap(({ envVar }) => envVar ?? []),
  ...command.commands.flatMap(listVariables),
]

test('no variable that a command reads is reported as unknown', () => {
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const variables = listVariables(createProgram()).filter((name) => name.startsWith('RECOLLECT_'))
  configFromEnvironment(Object.fromEntries(variables.map((name) => [name, ''])))
  expect(variables.length).toBeGreaterThan(10)
  expect(emit.mock.calls).toEqual([])
})
