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

export function addQueryCommand(): Command {
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

export function flagQueryCommand(): Command {
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
