import { addAbortSignal } from 'node:stream'
import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  IMPORT_FORMATS,
  type Imported,
  type ImportedConversation,
  type ImportFormat,
  type ImportProblem,
  type Memory,
} from '../../index.ts'
import {
  clip,
  countOf,
  dim,
  formatCount,
  formatTime,
  interruptible,
  Progress,
  print,
  printJson,
  printTable,
  red,
  yellow,
} from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface ImportFlags {
  readonly format?: ImportFormat | 'auto'
  readonly dryRun?: boolean
  readonly branches: boolean
  readonly derive?: boolean
}

/** Some items were skipped. */
const EXIT_INCOMPLETE = 4
/** Conversations listed by a dry run with --json. */
const MOST_LISTED = 1000
const POLL_MS = 500

const HELP = `
Importing the same export again adds only what is new. Items that can't be imported are listed, everything else is
imported, and the exit code is 4.

Examples:
  recollect import chatgpt-export.zip --dry-run
  recollect import chatgpt-export.zip
  recollect import claude-export/ --no-branches
  recollect import requests.jsonl.gz --format openai
  cat everything.json | recollect import -`

const STOPPED =
  'Everything imported so far is saved. Run the command again to continue; nothing is imported twice.'
const LATER =
  'Topics, summaries and facts are created while the memory is open. To wait for them, use --derive.'

export function importCommand(): Command {
  return newCommand(
    'import',
    'Import chats from ChatGPT, Claude, LibreChat, Open WebUI, OpenAI, mem0 or Recollect.',
  )
    .argument('<file>', 'a .json, .jsonl, .gz or .zip file, a folder, or - for standard input')
    .addOption(new Option('--format <format>', 'export format (default: detected)').choices(IMPORT_FORMATS))
    .option('--dry-run', 'show what would be imported without writing anything')
    .option('--no-branches', 'import only the current branch of each conversation')
    .option('--derive', 'wait until topics, summaries and facts are created')
    .addHelpText('after', HELP)
    .action((file: string, flags: ImportFlags, command: Command) => {
      const isDryRun = flags.dryRun === true
      return withMemory(
        command,
        { mayCreate: true, isTrial: isDryRun, mayDerive: !isDryRun },
        async ({ memory, isJson }) => {
          const conversations: ImportedConversation[] = []
          const imported = await importWithProgress(memory, file, { flags, conversations })
          printImported(imported, { isDryRun, isJson, conversations })
          if (flags.derive === true && !isDryRun) await deriveWithProgress(memory)
          else if (imported.messages > 0 && !isDryRun && !isJson) print(dim(LATER))
          if (imported.skipped > 0) process.exitCode = EXIT_INCOMPLETE
        },
      )
    })
}

interface ImportRun {
  readonly flags: ImportFlags
  /** Filled during a dry run. */
  readonly conversations: ImportedConversation[]
}

function importWithProgress(
  memory: Memory,
  file: string,
  { flags, conversations }: ImportRun,
): Promise<Imported> {
  const { dryRun: isDryRun = false, branches, format } = flags
  const progress = new Progress('Importing')
  let messages = 0
  return interruptible(STOPPED, ({ check, signal }) =>
    memory
      .import(file === '-' ? addAbortSignal(signal, process.stdin) : file, {
        dryRun: isDryRun,
        branches: branches ? 'forks' : 'none',
        ...definedFields({ format }),
        onProgress: (far) => {
          messages = far.messages + far.known
          check()
        },
        onConversation: (conversation) => {
          if (isDryRun && conversations.length < MOST_LISTED) conversations.push(conversation)
        },
        onBytes: (done, total) => {
          const counted = { count: messages, unit: ' messages' }
          if (total > 0) progress.show(done, total, counted)
          else progress.count(counted)
          check()
        },
      })
      .finally(() => {
        progress.end()
        // An open pipe must not keep a failed command alive.
        if (file === '-') process.stdin.destroy()
      }),
  )
}

async function deriveWithProgress(memory: Memory): Promise<void> {
  const progress = new Progress('Creating topics, summaries and facts')
  const { behind: total } = await memory.maintenance.deriveStatus()
  let isDone = false
  const poll = async (): Promise<void> => {
    while (!isDone) {
      const { behind } = await memory.maintenance.deriveStatus()
      progress.show(Math.max(0, total - behind), total)
      await new Promise((wake) => setTimeout(wake, POLL_MS))
    }
  }
  const polling = poll()
  await memory.whenDerived()
  isDone = true
  await polling
  progress.end()
}

interface PrintOptions {
  readonly isDryRun: boolean
  readonly isJson: boolean
  /** The conversations a dry run would import. */
  readonly conversations: readonly ImportedConversation[]
}

/** Longer lists are available with `--json`. */
const MOST_ROWS = 20
const MOST_PROBLEMS = 10

function printImported(imported: Imported, { isDryRun, isJson, conversations }: PrintOptions): void {
  if (isJson) {
    printJson({ ...imported, isDryRun, ...(isDryRun && { conversationList: conversations }) })
    return
  }
  if (conversations.length > 0) printConversations(conversations, imported.conversations)
  print(describe(imported, isDryRun))
  printProblems(imported)
}

function printConversations(conversations: readonly ImportedConversation[], total: number): void {
  const rows = conversations
    .slice(0, MOST_ROWS)
    .map(({ id, title = '', createdAt, messages, known, forks }) => [
      createdAt === undefined ? '' : formatTime(createdAt).slice(0, 10),
      formatCount(messages),
      formatCount(known),
      formatCount(forks),
      clip(title, 50),
      clip(id, 60),
    ])
  printTable([['started', 'new', 'existing', 'forks', 'title', 'id'], ...rows])
  const more = Math.max(total, conversations.length) - rows.length
  if (more > 0) print(dim(`… and ${formatCount(more)} more`))
  print('')
}

function describe(imported: Imported, isDryRun: boolean): string {
  const { conversations, messages, known, forks, edits, documents, pages, queries, facts } = imported
  const some = (count: number, one: string, many = `${one}s`) =>
    count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`]
  const parts = [
    `${countOf(conversations, 'conversation')} and ${countOf(messages, 'message')}`,
    ...some(forks, 'fork'),
    ...some(facts, 'fact'),
    ...some(documents, 'document'),
    ...some(edits, 'edit'),
    ...(pages + queries > 0 ? [`${formatCount(pages)} pages with ${formatCount(queries)} queries`] : []),
  ]
  const existing = known > 0 ? ` (${countOf(known, 'item')} already imported)` : ''
  return `${isDryRun ? 'Would import' : 'Imported'} ${parts.join(', ')}${existing}.`
}

function printProblems({ problems, skipped }: Imported): void {
  const leftOut = problems.filter(({ isSkipped }) => isSkipped)
  const changed = problems.filter(({ isSkipped }) => !isSkipped)
  if (skipped > 0) printList(red(`${countOf(skipped, 'item')} skipped:`), leftOut, skipped)
  if (changed.length > 0) printList(yellow('Imported with changes:'), changed, changed.length)
}

function printList(heading: string, problems: readonly ImportProblem[], total: number): void {
  print(heading)
  const shown = problems.slice(0, MOST_PROBLEMS)
  for (const { place, reason } of shown) print(`  ${place}: ${clip(reason, 200)}`)
  const more = total - shown.length
  if (more > 0) print(dim(`  … and ${formatCount(more)} more; --json lists them`))
}
