import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type ConversationChanges, MemoryError } from '../../index.ts'
import { collect } from '../arguments.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface EditFlags {
  readonly title?: string
  readonly madeTitle?: boolean
  readonly tag?: readonly string[]
  readonly tags?: boolean
  readonly pin?: boolean
  readonly archive?: boolean
  readonly memory?: boolean
  readonly document?: readonly string[]
}

export function editCommand(): Command {
  return newCommand('edit', 'Rename, tag, pin or archive a conversation; each can be undone the same way.')
    .argument('<conversation>', 'id of the conversation')
    .option('--title <title>', 'give it a title')
    .option('--made-title', 'take back the title that was given')
    .option('--tag <tag>', 'tag it; several times for several tags, replacing those it has', collect)
    .option('--no-tags', 'take all tags away')
    .option('--pin', 'pin it')
    .option('--no-pin', 'unpin it')
    .option('--archive', 'archive it')
    .option('--no-archive', 'bring it back from the archive')
    .option('--memory', 'let it be remembered elsewhere')
    .option('--no-memory', 'keep it to itself: nothing is derived from it')
    .option(
      '--document <id>',
      'attach a document; several times for several, replacing those it has',
      collect,
    )
    .addHelpText('after', '\nExample:\n  recollect edit trip --title "Lisbon in May" --tag travel --pin')
    .action((id: string, flags: EditFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const changes = toChanges(flags, command)
        if (Object.keys(changes).length === 0) {
          throw new MemoryError('invalid-input', 'nothing is to be changed', {
            hint: 'say what: recollect edit --help lists it',
          })
        }
        const changed = await memory.conversation(id).update(changes)
        if (isJson) printJson(changed)
        else print(`Changed: ${changed.title ?? changed.id}`)
      }),
    )
}

function toChanges(flags: EditFlags, command: Command): ConversationChanges {
  // Commander fills in true for an option that has a --no- form.
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  return {
    ...definedFields({ title: flags.title }),
    ...(flags.madeTitle && { title: null }),
    ...definedFields({ tags: flags.tag }),
    ...(isGiven('tags') && flags.tags === false && { tags: [] }),
    ...(isGiven('pin') && flags.pin !== undefined && { isPinned: flags.pin }),
    ...(isGiven('archive') && flags.archive !== undefined && { isArchived: flags.archive }),
    ...(isGiven('memory') && flags.memory !== undefined && { isMemoryOn: flags.memory }),
    ...definedFields({ documents: flags.document }),
  }
}
