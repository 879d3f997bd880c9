import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type ConversationChanges, MemoryError } from '../../index.ts'
import { collect } from '../arguments.ts'
import { print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface EditFlags {
  readonly title?: string
  readonly autoTitle?: boolean
  readonly tag?: readonly string[]
  readonly tags?: boolean
  readonly pin?: boolean
  readonly archive?: boolean
  readonly memory?: boolean
  readonly document?: readonly string[]
}

export function editCommand(): Command {
  return newCommand('edit', 'Rename, tag, pin or archive a conversation, or attach documents to it.')
    .argument('<conversation>', 'id of the conversation')
    .option('--title <title>', 'set the title')
    .option('--auto-title', 'remove the title you set and use an automatic one')
    .option('--tag <tag>', 'replace the tags; repeat for several', collect)
    .option('--no-tags', 'remove all tags')
    .option('--pin', 'pin it')
    .option('--no-pin', 'unpin it')
    .option('--archive', 'archive it')
    .option('--no-archive', 'unarchive it')
    .option('--memory', 'turn memory on: other conversations can use it')
    .option('--no-memory', 'turn memory off: nothing is derived from it')
    .option('--document <id>', 'replace the attached documents; repeat for several', collect)
    .addHelpText('after', '\nExample:\n  recollect edit trip --title "Lisbon in May" --tag travel --pin')
    .action((id: string, flags: EditFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const changes = toChanges(flags, command)
        if (Object.keys(changes).length === 0) {
          throw new MemoryError('invalid-input', 'no changes given', {
            hint: 'see the options with: recollect edit --help',
          })
        }
        const changed = await memory.conversation(id).update(changes)
        if (isJson) printJson(changed)
        else print(`Updated ${changed.title ?? changed.id}.`)
      }),
    )
}

function toChanges(flags: EditFlags, command: Command): ConversationChanges {
  // Commander defaults an option with a --no- form to true.
  const isSet = (name: string) => command.getOptionValueSource(name) === 'cli'
  return {
    ...definedFields({ title: flags.title }),
    ...(flags.autoTitle && { title: null }),
    ...definedFields({ tags: flags.tag }),
    ...(isSet('tags') && flags.tags === false && { tags: [] }),
    ...(isSet('pin') && flags.pin !== undefined && { isPinned: flags.pin }),
    ...(isSet('archive') && flags.archive !== undefined && { isArchived: flags.archive }),
    ...(isSet('memory') && flags.memory !== undefined && { isMemoryOn: flags.memory }),
    ...definedFields({ documents: flags.document }),
  }
}
