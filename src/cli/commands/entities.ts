import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { ENTITY_TYPES, type EntityType, type WorkspaceEntity } from '../../index.ts'
import { clip, formatCount, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

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
