import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Intent,
  type JsonObject,
  type JsonValue,
  MemoryError,
  type PageChanges,
  type PageState,
  type Query,
} from '../../index.ts'
import { collect, readJsonFile, toCount } from '../arguments.ts'
import {
  bold,
  clip,
  dim,
  formatCount,
  formatTime,
  print,
  printJson,
  printTable,
  yellow,
} from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function pageCommand(): Command {
  const page = newCommand('page', 'Show and change the state and query history of application pages.')
  const parts = [
    listPagesCommand,
    showPageCommand,
    setPageCommand,
    historyCommand,
    addQueryCommand,
    flagQueryCommand,
  ]
  for (const part of parts) page.addCommand(part())
  return page
}

function listPagesCommand(): Command {
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

function showPageCommand(): Command {
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

function setPageCommand(): Command {
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

interface HistoryFlags {
  readonly question?: string
  readonly limit?: number
  readonly before?: number
  readonly after?: number
  readonly important?: boolean
}

function historyCommand(): Command {
  return newCommand('history', 'Show the latest queries of a page, oldest first.')
    .argument('<page>', 'id of the page')
    .option(
      '--question <text>',
      'select queries for a question: the first 2, the last 5, important and relevant ones',
    )
    .option('--limit <number>', 'maximum number of results', toCount)
    .option('--before <position>', 'only queries before this position', toCount)
    .option('--after <position>', 'only queries after this position', toCount)
    .option('--important', 'only important queries')
    .addHelpText('after', '\nExample:\n  recollect page history sales --question "Which region sold most?"')
    .action((id: string, { important, question, ...flags }: HistoryFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const queries = (
          await memory
            .page(id)
            .queries.list(definedFields({ ...flags, query: question, onlyImportant: important }))
        ).items
        if (isJson) return printJson(queries)
        if (queries.length === 0) {
          return print(
            `No matching queries on "${id}". Add one with: recollect page add-query ${id} "How many?"`,
          )
        }
        for (const query of queries) printQuery(query)
      }),
    )
}

interface AddFlags {
  readonly id?: string
  readonly intent?: Intent
  readonly sql?: string
  readonly results?: string
  readonly response?: string
  readonly important?: boolean
}

function addQueryCommand(): Command {
  return newCommand('add-query', 'Add a query to the history of a page.')
    .argument('<page>', 'id of the page; created if it does not exist')
    .argument('<query...>', 'the query')
    .addOption(
      new Option('--intent <intent>', 'intent of the query (default: detected)').choices([
        'general_chat',
        'data_query',
        'hybrid',
      ]),
    )
    .option('--sql <sql>', 'SQL generated for the query')
    .option('--results <file>', 'JSON file with the results; only the first rows of large results are stored')
    .option('--response <text>', 'the answer')
    .option('--important', 'mark as important: included in every selection')
    .option('--id <id>', 'id of the query; adding the same id again changes nothing')
    .action((page: string, words: string[], flags: AddFlags, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const { results, ...rest } = flags
        const read = results === undefined ? {} : { results: readJsonFile(results) as JsonValue }
        const query = await memory
          .page(page)
          .queries.add({ query: words.join(' '), ...definedFields(rest), ...read })
        if (isJson) printJson(query)
        else printQuery(query)
      }),
    )
}

function flagQueryCommand(): Command {
  return newCommand('flag', 'Mark a query as important.')
    .argument('<query>', 'id of the query')
    .option('--off', 'no longer important')
    .action((id: string, { off = false }: { off?: boolean }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const query = await memory.queries.update(id, { important: !off })
        if (isJson) printJson(query)
        else printQuery(query)
      }),
    )
}

function printQuery(query: Query): void {
  const { position, createdAt, intent, important, id, sql, results, resultsTruncated, response } = query
  const flag = important ? yellow(' important') : ''
  print(`${bold(clip(query.query, 100))}${flag}`)
  print(dim(`  #${position} · ${formatTime(createdAt)} · ${intent} · ${id}`))
  if (sql !== null) print(`  ${dim('sql')}       ${clip(sql, 100)}`)
  if (results !== null) {
    print(`  ${dim('results')}   ${clip(JSON.stringify(results), 100)}${describeCut(resultsTruncated)}`)
  }
  if (response !== null) print(`  ${dim('response')}  ${clip(response, 100)}`)
}

function describeCut(truncated: Query['resultsTruncated']): string {
  if (truncated === undefined) return ''
  const { rows, bytes } = truncated
  return yellow(` (truncated from ${rows === undefined ? `${bytes} bytes` : `${rows} rows`})`)
}
