import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  ENTITY_TYPES,
  type EntityType,
  type JsonValue,
  type Memory,
  type MemoryBlock,
  MemoryError,
  type Note,
  type PreferenceSet,
  type WorkspaceEntity,
} from '../../index.ts'
import { clip, dim, formatCount, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'
import { printFacts } from './facts.ts'

interface EntitiesFlags {
  readonly type?: EntityType
  readonly in?: string
}

export function entitiesCommand(): Command {
  return newCommand('entities', 'List the people and things mentioned, most mentioned first.')
    .addOption(new Option('--type <type>', 'only this type').choices(ENTITY_TYPES))
    .option('--in <conversation>', 'only from this conversation')
    .action((flags: EntitiesFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const entities = await memory.entities
          .list(definedFields({ type: flags.type, conversationId: flags.in }))
          .toArray()
        if (isJson) return printJson(entities)
        if (entities.length === 0)
          return print('No people or things yet. They are found in recorded messages.')
        printTable([['mentions', 'type', 'name', 'also known as'], ...entities.map(toRow)])
      }),
    )
}

function toRow({ mentions, type, name, aliases }: WorkspaceEntity): string[] {
  const others = aliases.filter((alias) => alias !== name)
  return [formatCount(mentions), type, clip(name, 50), clip(others.join(', '), 50)]
}

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

export function blocksCommand(): Command {
  return newCommand('blocks', 'List memory blocks: small texts that every context includes.')
    .addHelpText(
      'after',
      '\nExamples:\n  recollect blocks set profile "Ana, lives in Porto, vegetarian."\n  recollect blocks undo profile',
    )
    .action((_flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const blocks = await memory.blocks.list().toArray()
        if (isJson) return printJson(blocks)
        if (blocks.length === 0)
          return print('No memory blocks yet. Add one with: recollect blocks set profile "…"')
        for (const block of blocks) printBlock(block)
      }),
    )
    .addCommand(setBlockCommand())
    .addCommand(
      blockCommand('history', 'Show the versions of a memory block, newest first.', async (memory, name) => {
        const versions = await memory.blocks.history(name).toArray()
        if (versions.length === 0) throw noBlock(name)
        return { result: versions, show: () => versions.forEach(printBlock) }
      }),
    )
    .addCommand(
      blockCommand('undo', 'Go back to the previous version of a memory block.', async (memory, name) => {
        const block = (await memory.blocks.undo(name)) ?? null
        const show = () => (block === null ? print(`${name} no longer exists.`) : printBlock(block))
        return { result: block, show }
      }),
    )
    .addCommand(
      blockCommand('delete', 'Delete a memory block with its history.', async (memory, name) => {
        if (!(await memory.blocks.delete(name))) throw noBlock(name)
        return { result: { name, isDeleted: true }, show: () => print(`Deleted ${name}.`) }
      }),
    )
}

function printBlock({ name, text, updatedAt, updatedBy }: MemoryBlock): void {
  print(`${name}: ${text}`, dim(`  ${formatTime(updatedAt)} · by the ${updatedBy}`))
}

const noBlock = (name: string): MemoryError =>
  new MemoryError('not-found', `there is no memory block "${name}"`, {
    hint: 'list them with: recollect blocks',
  })

function setBlockCommand(): Command {
  return newCommand('set', 'Set the text of a memory block, or replace one passage of it.')
    .argument('<name>', 'profile, project …')
    .argument('<text...>', 'the new text, at most 1,000 characters')
    .option('--replace <passage>', 'replace only this passage, which occurs once')
    .action((name: string, words: string[], { replace }: { replace?: string }, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const block = await memory.blocks.update(name, {
          text: words.join(' '),
          ...definedFields({ replace }),
        })
        if (isJson) printJson(block)
        else printBlock(block)
      }),
    )
}

interface Shown {
  readonly result: unknown
  readonly show: () => void
}

function blockCommand(
  verb: string,
  about: string,
  run: (memory: Memory, name: string) => Promise<Shown>,
): Command {
  return newCommand(verb, about)
    .argument('<name>', 'name of the memory block')
    .action((name: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const { result, show } = await run(memory, name)
        if (isJson) printJson(result)
        else show()
      }),
    )
}

interface NoteFlags {
  readonly in?: string
  readonly tool?: string
  readonly url?: string
  readonly title?: string
  readonly expires?: string
  readonly expire?: boolean
}

export function notesCommand(): Command {
  return newCommand('notes', 'List current notes from tools and web searches, newest first.')
    .option('--in <conversation>', 'only from this conversation')
    .action((flags: NoteFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const notes = await memory.notes.list(definedFields({ conversationId: flags.in })).toArray()
        if (isJson) return printJson(notes)
        if (notes.length === 0)
          return print('No notes yet. Add one with: recollect notes add "Rain until Friday"')
        for (const note of notes) printNote(note)
      }),
    )
    .addCommand(addCommand())
    .addCommand(deleteCommand())
}

function printNote({ id, text, source, createdAt, expiresAt, conversationId }: Note): void {
  const from = [source.title, source.tool, source.url].filter((part) => part !== undefined)
  const place = conversationId === undefined ? [] : [`in ${conversationId}`]
  const until = expiresAt === undefined ? [] : [`expires ${formatTime(expiresAt)}`]
  print(clip(text, 200), dim(`  ${[formatTime(createdAt), ...from, ...place, ...until, id].join(' · ')}`))
}

function addCommand(): Command {
  return newCommand('add', 'Add a note; adding the same note again renews it.')
    .argument('<text...>', 'text of the note')
    .option('--in <conversation>', 'conversation it belongs to (default: all)')
    .option('--tool <name>', 'tool it comes from')
    .option('--url <address>', 'source URL')
    .option('--title <title>', 'title of the source')
    .option('--expires <date>', 'expiry date (default: in 30 days)')
    .option('--no-expire', 'never expires')
    .action((words: string[], _flags: object, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        // Commander assigns --in to `notes`, which also has it.
        const { tool, url, title, expires, ...flags } = command.optsWithGlobals<NoteFlags>()
        const note = await memory.notes.add({
          text: words.join(' '),
          source: definedFields({ tool, url, title }),
          ...definedFields({ conversationId: flags.in, expiresAt: expires }),
          ...(flags.expire === false && { expiresAt: null }),
        })
        if (isJson) printJson(note)
        else printNote(note)
      }),
    )
}

function deleteCommand(): Command {
  return newCommand('delete', 'Delete a note.')
    .argument('<id>', 'id of the note')
    .action((id: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const isDeleted = await memory.notes.delete(id)
        if (!isDeleted)
          throw new MemoryError('not-found', `no note "${id}"`, {
            hint: 'list them with: recollect notes',
          })
        if (isJson) printJson({ id, isDeleted })
        else print('Deleted the note.')
      }),
    )
}
