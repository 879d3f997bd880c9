import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { EntityType, WorkspaceEntity } from '../../index.ts'
import { clip, formatCount, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface EntitiesFlags {
  readonly type?: EntityType
  readonly in?: string
}

const TYPES = ['person', 'organisation', 'product', 'place', 'date', 'file', 'url', 'email', 'other']

export function entitiesCommand(): Command {
  return newCommand('entities', 'List who and what is spoken of, most often first.')
    .addOption(new Option('--type <type>', 'only this type').choices(TYPES))
    .option('--in <conversation>', 'only in this conversation')
    .action((flags: EntitiesFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const entities = await memory.entities
          .list(definedFields({ type: flags.type, conversationId: flags.in }))
          .toArray()
        if (isJson) return printJson(entities)
        if (entities.length === 0)
          return print('Nobody and nothing was spoken of yet. Names come with what is recorded.')
        printTable([['mentions', 'type', 'name', 'also'], ...entities.map(toRow)])
      }),
    )
}

function toRow({ mentions, type, name, aliases }: WorkspaceEntity): string[] {
  const others = aliases.filter((alias) => alias !== name)
  return [formatCount(mentions), type, clip(name, 50), clip(others.join(', '), 50)]
}
