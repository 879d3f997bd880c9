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
  return newCommand('keys', 'Create, list and revoke API keys for `recollect serve`.')
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
  return newCommand('create', 'Create an API key for a workspace. It is shown only once.')
    .option('--name <name>', 'what the key is for (default: key)')
    .addOption(new Option('--scope <scope>', 'what the key allows (default: write)').choices(SCOPES))
    .action((flags: KeyFlags, command: Command) =>
      withMemory(command, { mayCreate: true, mayDerive: false }, async ({ memory, isJson }) => {
        const { name, scope } = flags
        const created = await memory.keys.create(definedFields({ name, scope }))
        if (isJson) return printJson(created)
        print(
          bold(created.key),
          dim(`${created.scope} · workspace ${created.workspace} · ${created.name} · ${created.id}`),
        )
        print("Copy this key now. It won't be shown again. Send it as  Authorization: Bearer <key>")
      }),
    )
}

function listCommand(): Command {
  return newCommand(
    'list',
    'List the API keys of all workspaces, or of the one given with --workspace.',
  ).action((_flags: object, command: Command) =>
    withMemory(command, { mayCreate: false, mayDerive: false }, async ({ memory, isJson }) => {
      const everywhere = command.optsWithGlobals<KeyFlags>().workspace === undefined
      const keys = await memory.keys.list({ allWorkspaces: everywhere }).toArray()
      if (isJson) return printJson(keys)
      if (keys.length === 0)
        return print('No keys yet. Create one with: recollect keys create --name "web app"')
      printTable([['id', 'workspace', 'scope', 'created', 'last used', 'name'], ...keys.map(toRow)])
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
  return newCommand('revoke', 'Revoke an API key; running servers reject it at once.')
    .argument('<id>', 'id of the key, from `recollect keys list`')
    .action((id: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false, mayDerive: false }, async ({ memory, isJson }) => {
        const key = (await memory.keys.list({ allWorkspaces: true }).toArray()).find((one) => one.id === id)
        if (key === undefined) {
          throw new MemoryError('not-found', `no key "${id}"`, {
            hint: 'list them with: recollect keys list',
          })
        }
        await memory.workspace(key.workspace).keys.delete(id)
        if (isJson) printJson({ id, isRevoked: true })
        else print(`Revoked the key "${key.name}".`)
      }),
    )
}
