import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Intent, JsonValue, Query } from '../../index.ts'
import { readJsonFile, toCount } from '../arguments.ts'
import { bold, clip, dim, formatTime, print, printJson, yellow } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface HistoryFlags {
  readonly question?: string
  readonly limit?: number
  readonly before?: number
  readonly after?: number
  readonly important?: boolean
}

export function historyCommand(): Command {
  return newCommand('history', 'Show the queries of a page, the last ones in order.')
    .argument('<page>', 'id of the page')
    .option(
      '--question <text>',
      'those that belong to a question: the first 2, the last 5, the flagged, the relevant',
    )
    .option('--limit <number>', 'how many at most', toCount)
    .option('--before <position>', 'only queries before this position', toCount)
    .option('--after <position>', 'only queries after this position', toCount)
    .option('--important', 'only flagged ones')
    .addHelpText('after', '\nExample:\n  recollect page history sales --question "Which region sold most?"')
    .action((id: string, { important, ...flags }: HistoryFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const queries = (
          await memory.page(id).queries.list(definedFields({ ...flags, onlyImportant: important }))
        ).items
        if (isJson) return printJson(queries)
        if (queries.length === 0) {
          return print(`No such queries on "${id}". Add one: recollect page add-query ${id} "How many?"`)
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

export function addQueryCommand(): Command {
  return newCommand('add-query', 'Add a query to the history of a page.')
    .argument('<page>', 'id of the page, made if it is missing')
    .argument('<query...>', 'what was asked')
    .addOption(
      new Option('--intent <intent>', 'what it asks for (worked out)').choices([
        'general_chat',
        'data_query',
        'hybrid',
      ]),
    )
    .option('--sql <sql>', 'the SQL that was made for it')
    .option('--results <file>', 'JSON file with the results; of large ones the first rows are kept')
    .option('--response <text>', 'what was answered')
    .option('--important', 'flag it: it is part of every selection')
    .option('--id <id>', 'id of the query: adding it again changes nothing')
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

export function flagQueryCommand(): Command {
  return newCommand('flag', 'Flag a query as important.')
    .argument('<query>', 'id of the query')
    .option('--off', 'take the flag away')
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
  return yellow(` (kept in part; there were ${rows === undefined ? `${bytes} bytes` : `${rows} rows`})`)
}
