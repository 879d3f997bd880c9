import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type Key, type KeyScope, MemoryError } from '../../index.ts'
import { bold, dim, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface KeyFlags {
  readonly name?: string
  readonly scope?: KeyScope
  readonly workspace?: string
}

const SCOPES: readonly KeyScope[] = ['metrics', 'read', 'write', 'admin']

export function keysCommand(): Command {
  return newCommand('keys', 'Make, list and revoke the keys with which others reach `recollect serve`.')
    .addHelpText('after', EXAMPLES)
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
}

const EXAMPLES = `
Examples:
  recollect keys create --name "web app"
  recollect --workspace team keys create --name reports --scope read
  recollect keys list
  recollect keys revoke 01jc9m3v7q8x4t2n5b6k7h8d9e`

function createCommand(): Command {
  return newCommand('create', 'Make a key to a workspace. It is shown this once, and kept nowhere.')
    .option('--name <name>', 'what it is for (key)')
    .addOption(
      new Option('--scope <scope>', 'figures only, read, write too, or everything (write)').choices(SCOPES),
    )
    .action((flags: KeyFlags, command: Command) =>
      withMemory(command, { mayCreate: true, mayDerive: false }, async ({ memory, isJson }) => {
        const { name, scope } = flags
        const made = await memory.keys.create(definedFields({ name, scope }))
        if (isJson) return printJson(made)
        print(bold(made.key), dim(`${made.scope} · workspace ${made.workspace} · ${made.name} · ${made.id}`))
        print('Keep it now: it cannot be shown again. Use it as  Authorization: Bearer <key>')
      }),
    )
}

function listCommand(): Command {
  return newCommand('list', 'List the keys of every workspace, or of the one given with --workspace.').action(
    (_flags: object, command: Command) =>
      withMemory(command, { mayCreate: false, mayDerive: false }, async ({ memory, isJson }) => {
        const everywhere = command.optsWithGlobals<KeyFlags>().workspace === undefined
        const keys = await memory.keys.list({ allWorkspaces: everywhere }).toArray()
        if (isJson) return printJson(keys)
        if (keys.length === 0) return print('No keys. Make one: recollect keys create --name "web app"')
        printTable([['id', 'workspace', 'scope', 'made', 'last used', 'name'], ...keys.map(toRow)])
      }),
  )
}

function toRow({ id, workspace, scope, createdAt, lastUsedAt, name }: Key): readonly string[] {
  return [
    id,
    workspace,
    scope,
    formatTime(createdAt),
    lastUsedAt === undefined ? 'never' : formatTime(lastUsedAt),
    name,
  ]
}

function revokeCommand(): Command {
  return newCommand('revoke', 'Take a key away: it opens nothing from now on, also on a server that runs.')
    .argument('<id>', 'id of the key, as `recollect keys list` shows it')
    .action((id: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false, mayDerive: false }, async ({ memory, isJson }) => {
        const key = (await memory.keys.list({ allWorkspaces: true }).toArray()).find((one) => one.id === id)
        if (key === undefined) {
          throw new MemoryError('not-found', `there is no key "${id}"`, {
            hint: 'recollect keys list shows them',
          })
        }
        await memory.workspace(key.workspace).keys.delete(id)
        if (isJson) printJson({ id, isRevoked: true })
        else print(`The key "${key.name}" is revoked.`)
      }),
    )
}
