import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type JsonObject,
  type JsonValue,
  MemoryError,
  type PageChanges,
  type PageState,
} from '../../index.ts'
import { collect, toCount } from '../arguments.ts'
import { bold, clip, dim, formatCount, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function listPagesCommand(): Command {
  return newCommand('list', 'List pages, most recently used first.')
    .option('--limit <number>', 'maximum number of results', toCount, 50)
    .option('--cursor <cursor>', 'continue after the previous page')
    .action(({ limit, cursor }: { limit: number; cursor?: string }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const list = await memory.pages.list({ limit, ...definedFields({ cursor }) })
        if (isJson) return printJson(list)
        if (list.items.length === 0)
          return print('No pages yet. Create one with: recollect page set home --topic Sales')
        printTable([['last used', 'queries', 'id', 'topic'], ...list.items.map(toRow)])
        if (list.next !== undefined) print(dim(`next page: --cursor ${list.next}`))
      }),
    )
}

function toRow({ lastUsedAt, queryCount, pageId, currentTopic, activeFile }: PageState): string[] {
  const file = activeFile === null ? '' : `[${activeFile.name ?? activeFile.id}]`
  return [
    formatTime(lastUsedAt),
    formatCount(queryCount),
    pageId,
    clip([currentTopic ?? '', file].join(' '), 70),
  ]
}

export function showPageCommand(): Command {
  return newCommand('show', 'Show the state of a page; it is created if it does not exist.')
    .argument('<page>', 'id of the page')
    .action((id: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const page = await memory.page(id).load()
        if (isJson) printJson(page)
        else printPage(page)
      }),
    )
}

interface SetFlags {
  readonly file?: string
  readonly fileName?: string
  readonly topic?: string
  readonly entity?: readonly string[]
  readonly preference?: readonly string[]
  readonly clear?: readonly string[]
}

export function setPageCommand(): Command {
  return newCommand('set', 'Change the state of a page; fields you do not name stay.')
    .argument('<page>', 'id of the page; created if it does not exist')
    .option('--file <id>', 'id of the active document')
    .option('--file-name <name>', 'name of the active document')
    .option('--topic <topic>', 'current topic')
    .option('--entity <key=value>', 'set an entity; an empty value removes it; repeat for several', collect)
    .option('--preference <key=value>', 'set a preference in the same way', collect)
    .option('--clear <field>', 'clear a field: activeFile, currentTopic, entities or preferences', collect)
    .addHelpText(
      'after',
      `\nValues are parsed as JSON if possible, otherwise taken as text.\n\nExamples:\n  recollect page set sales --file doc-1 --file-name Sales.csv --preference chart=bar\n  recollect page set sales --entity 'Ana={"role":"buyer"}' --entity Rui= --clear currentTopic`,
    )
    .action((id: string, flags: SetFlags, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const page = await memory.page(id).save(toChanges(flags))
        if (isJson) printJson(page)
        else printPage(page)
      }),
    )
}

function toChanges({ file, fileName, topic, entity, preference, clear = [] }: SetFlags): PageChanges {
  if (file === undefined && fileName !== undefined) {
    throw new MemoryError('invalid-input', '--file-name needs --file', {
      hint: 'give the id of its document too: --file doc-1 --file-name Sales.csv',
    })
  }
  const cleared = Object.fromEntries(clear.map((field) => [field, null]))
  return {
    ...cleared,
    ...(file !== undefined && { activeFile: { id: file, ...definedFields({ name: fileName }) } }),
    ...definedFields({ currentTopic: topic }),
    ...(entity !== undefined && { entities: toKeys(entity) }),
    ...(preference !== undefined && { preferences: toKeys(preference) }),
  }
}

function toKeys(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair): [string, JsonValue] => {
      const [key = '', ...rest] = pair.split('=')
      const value = rest.join('=')
      return [key, value === '' ? null : toValue(value)]
    }),
  )
}

function toValue(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function printPage(page: PageState): void {
  const { pageId, queryCount, updatedAt, activeFile, currentTopic, entities, preferences } = page
  print(bold(pageId), dim(`${formatCount(queryCount)} queries · updated ${formatTime(updatedAt)}`))
  print(`active file     ${activeFile === null ? dim('none') : describeFile(activeFile)}`)
  print(`topic           ${currentTopic ?? dim('none')}`)
  printKeys('entities', entities)
  printKeys('preferences', preferences)
}

const describeFile = ({ id, name }: NonNullable<PageState['activeFile']>): string =>
  name === undefined ? id : `${name} ${dim(id)}`

function printKeys(what: string, object: JsonObject): void {
  const entries = Object.entries(object)
  if (entries.length === 0) print(`${what.padEnd(15)} ${dim('none')}`)
  for (const [i, [key, value]] of entries.entries()) {
    print(`${(i === 0 ? what : '').padEnd(15)} ${key}: ${clip(JSON.stringify(value), 90)}`)
  }
}
