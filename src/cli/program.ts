import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { backupCommand } from './commands/backup.ts'
import { benchCommand } from './commands/bench.ts'
import { chatCommand } from './commands/chat.ts'
import { completeWordsCommand, completionCommand } from './commands/completion.ts'
import { contextCommand } from './commands/context.ts'
import { copyCommand } from './commands/copy.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { documentCommand } from './commands/document.ts'
import { documentsCommand } from './commands/documents.ts'
import { editCommand } from './commands/edit.ts'
import { entitiesCommand } from './commands/entities.ts'
import { eraseCommand } from './commands/erase.ts'
import { exportCommand } from './commands/export.ts'
import { factsCommand } from './commands/facts.ts'
import { forkCommand } from './commands/fork.ts'
import { importCommand } from './commands/import.ts'
import { jobsCommand } from './commands/jobs.ts'
import { keysCommand } from './commands/keys.ts'
import { listCommand } from './commands/list.ts'
import { notesCommand } from './commands/notes.ts'
import { pageCommand } from './commands/page.ts'
import { preferencesCommand } from './commands/preferences.ts'
import { pruneCommand } from './commands/prune.ts'
import { rebuildCommand } from './commands/rebuild.ts'
import { recallCommand } from './commands/recall.ts'
import { receiptsCommand } from './commands/receipts.ts'
import { recordCommand } from './commands/record.ts'
import { searchCommand } from './commands/search.ts'
import { serveCommand } from './commands/serve.ts'
import { showCommand } from './commands/show.ts'
import { statsCommand } from './commands/stats.ts'
import { summaryCommand } from './commands/summary.ts'
import { topicCommand } from './commands/topic.ts'
import { topicsCommand } from './commands/topics.ts'
import { addExamples } from './examples.ts'

const COMMANDS = [
  serveCommand,
  demoCommand,
  chatCommand,
  recordCommand,
  listCommand,
  showCommand,
  searchCommand,
  recallCommand,
  contextCommand,
  receiptsCommand,
  summaryCommand,
  topicsCommand,
  topicCommand,
  factsCommand,
  entitiesCommand,
  preferencesCommand,
  notesCommand,
  editCommand,
  forkCommand,
  exportCommand,
  importCommand,
  backupCommand,
  pruneCommand,
  eraseCommand,
  rebuildCommand,
  jobsCommand,
  statsCommand,
  doctorCommand,
  pageCommand,
  keysCommand,
  documentsCommand,
  documentCommand,
  benchCommand,
  completionCommand,
  copyCommand,
] as const

/** Also read by the script that writes docs/reference/cli.md. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const program = new Command('recollect')
    .description('Memory for LLM chats, stored in a SQLite file on your machine or in PostgreSQL.')
    .version(version)
    .addOption(
      new Option('--db <file>', 'database file, or postgres://user@host/database')
        .env('RECOLLECT_DB')
        .default('memory.db'),
    )
    .option('--workspace <id>', 'workspace to use (default: default)')
    .option('--json', 'print JSON')
    .option('--verbose', 'print stack traces of errors')
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', EXIT_CODES)
  for (const command of COMMANDS) program.addCommand(command())
  addExamples(program)
  program.addCommand(completeWordsCommand(), { hidden: true })
  return program
}

const EXIT_CODES = `
Exit codes: 0 success · 1 error · 2 invalid usage · 3 doctor found problems · 4 import skipped items, or copies differ · 130 interrupted with Ctrl-C (143 by SIGTERM).
Memory options can be set with environment variables, see docs/reference/options.md.`
