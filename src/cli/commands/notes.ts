import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { MemoryError, type Note } from '../../index.ts'
import { clip, dim, formatTime, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

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
