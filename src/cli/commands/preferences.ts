import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { JsonValue, PreferenceSet } from '../../index.ts'
import { printFacts } from '../print-facts.ts'
import { clip, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function preferencesCommand(): Command {
  return newCommand('preferences', "Show the user's preferences, from conversations and set explicitly.")
    .option('--subject <name>', 'whose preferences, for named speakers (default: user)')
    .addHelpText('after', '\nExample:\n  recollect preferences set units metric')
    .action(({ subject }: { subject?: string }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const preferences = await memory.preferences.get(definedFields({ subject }))
        if (isJson) printJson(preferences)
        else printPreferences(preferences)
      }),
    )
    .addCommand(setCommand())
    .addCommand(clearCommand())
}

function printPreferences({ facts, values }: PreferenceSet): void {
  const rows = Object.entries(values).map(([key, value]) => [key, clip(JSON.stringify(value), 70)])
  if (facts.length + rows.length === 0) print(NONE)
  if (facts.length > 0) printFacts(facts)
  if (rows.length > 0) printTable([['key', 'value'], ...rows])
}

const NONE =
  'No preferences yet. They are found in recorded messages; set one with: recollect preferences set KEY VALUE'

function setCommand(): Command {
  return newCommand('set', 'Set a preference to JSON or plain text.')
    .argument('<key>', 'name of the preference')
    .argument('<value>', 'true, 5, {"a": 1}, metric …')
    .action((key: string, text: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const value = toJson(text)
        await memory.preferences.update(key, value)
        if (isJson) printJson({ key, value })
        else print(`Set ${key} to ${JSON.stringify(value)}.`)
      }),
    )
}

function toJson(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function clearCommand(): Command {
  return newCommand('clear', 'Remove a preference that was set.')
    .argument('<key>', 'name of the preference')
    .action((key: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const isCleared = await memory.preferences.delete(key)
        if (isJson) printJson({ key, isCleared })
        else print(isCleared ? `Removed ${key}.` : `${key} was not set.`)
      }),
    )
}
