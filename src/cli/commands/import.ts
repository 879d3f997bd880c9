import { addAbortSignal } from 'node:stream'
import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  IMPORT_FORMATS,
  type Imported,
  type ImportedConversation,
  type ImportFormat,
  importFile,
  type Memory,
} from '../../index.ts'
import { interruptible } from '../interrupt.ts'
import { printImported } from '../print-imported.ts'
import { Progress } from '../progress.ts'
import { dim, print } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface ImportFlags {
  readonly format?: ImportFormat | 'auto'
  readonly dryRun?: boolean
  readonly branches: boolean
  readonly derive?: boolean
}

/** Something was left out. */
const EXIT_INCOMPLETE = 4
/** Of a dry run with --json. */
const MOST_LISTED = 1000
const LOOK_EVERY_MS = 500

const HELP = `
Nothing is written twice: an export that has grown brings what is new. What cannot come in is listed with its
place, and the exit code is then 4; everything else is in.

Examples:
  recollect import chatgpt-export.zip --dry-run
  recollect import chatgpt-export.zip
  recollect import claude-export/ --no-branches
  recollect import requests.jsonl.gz --format openai
  cat everything.json | recollect import -`

const STOPPED = 'What came in so far is kept. The same command again goes on: nothing is written twice.'
const LATER = 'Topics, summaries and facts are worked out while the memory is open; --derive waits for them.'

export function importCommand(): Command {
  return newCommand(
    'import',
    'Read chats of ChatGPT, Claude, LibreChat, Open WebUI, OpenAI, mem0 or Recollect; running it twice adds nothing.',
  )
    .argument('<file>', 'a file (.json, .jsonl, .gz), an archive (.zip), a folder, or - for standard input')
    .addOption(
      new Option('--format <format>', 'what it is (told by its first records)').choices(IMPORT_FORMATS),
    )
    .option('--dry-run', 'tell what would come, and write nothing')
    .option('--no-branches', 'leave out what is beside the current branch of each conversation')
    .option('--derive', 'wait until topics, summaries and facts are worked out')
    .addHelpText('after', HELP)
    .action((file: string, flags: ImportFlags, command: Command) => {
      const isDryRun = flags.dryRun === true
      return withMemory(
        command,
        { mayCreate: true, isTrial: isDryRun, mayDerive: !isDryRun },
        async ({ memory, isJson }) => {
          const conversations: ImportedConversation[] = []
          const imported = await importShowing(memory, file, { flags, conversations })
          printImported(imported, { isDryRun, isJson, conversations })
          if (flags.derive === true && !isDryRun) await deriveShowing(memory)
          else if (imported.messages > 0 && !isDryRun && !isJson) print(dim(LATER))
          if (imported.skipped > 0) process.exitCode = EXIT_INCOMPLETE
        },
      )
    })
}

interface ImportRun {
  readonly flags: ImportFlags
  /** Filled in a dry run. */
  readonly conversations: ImportedConversation[]
}

function importShowing(memory: Memory, file: string, { flags, conversations }: ImportRun): Promise<Imported> {
  const { dryRun: isDryRun = false, branches, format } = flags
  const progress = new Progress('Importing')
  let messages = 0
  return interruptible(STOPPED, ({ check, signal }) =>
    importFile(memory, file === '-' ? addAbortSignal(signal, process.stdin) : file, {
      isDryRun,
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
    }).finally(() => {
      progress.end()
      // Whoever writes into the pipe may not be done: that must not keep a command alive that has failed.
      if (file === '-') process.stdin.destroy()
    }),
  )
}

async function deriveShowing(memory: Memory): Promise<void> {
  const progress = new Progress('Working out topics, summaries and facts')
  const { behind: total } = await memory.maintenance.deriveStatus()
  let isDone = false
  const look = async (): Promise<void> => {
    while (!isDone) {
      const { behind } = await memory.maintenance.deriveStatus()
      progress.show(Math.max(0, total - behind), total)
      await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS))
    }
  }
  const looking = look()
  await memory.whenDerived()
  isDone = true
  await looking
  progress.end()
}
