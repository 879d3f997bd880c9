import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { benchCommand } from './commands/bench.ts'
import { chatCommand } from './commands/chat.ts'
import { completeWordsCommand, completionCommand } from './commands/completion.ts'
import { contextCommand, receiptsCommand, summaryCommand } from './commands/context.ts'
import {
  editCommand,
  forkCommand,
  listCommand,
  searchCommand,
  showCommand,
} from './commands/conversations.ts'
import { demoCommand } from './commands/demo.ts'
import { documentCommand, documentsCommand } from './commands/documents.ts'
import { eraseCommand } from './commands/erase.ts'
import { copyCommand, exportCommand } from './commands/export.ts'
import { factsCommand } from './commands/facts.ts'
import { importCommand } from './commands/import.ts'
import { keysCommand } from './commands/keys.ts'
import { blocksCommand, entitiesCommand, notesCommand, preferencesCommand } from './commands/knowledge.ts'
import {
  backupCommand,
  doctorCommand,
  jobsCommand,
  pruneCommand,
  rebuildCommand,
  statsCommand,
} from './commands/maintenance.ts'
import { pageCommand } from './commands/page.ts'
import { recallCommand } from './commands/recall.ts'
import { recordCommand } from './commands/record.ts'
import { serveCommand } from './commands/serve.ts'
import { topicCommand, topicsCommand } from './commands/topics.ts'

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
  blocksCommand,
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

// Examples for the help of commands that don't define their own.

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  demo: ['recollect demo', 'recollect demo --json'],
  list: ['recollect list', 'recollect list --json'],
  show: ['recollect show trip', 'recollect show trip --json | head'],
  receipts: ['recollect receipts trip'],
  summary: ['recollect summary trip'],
  topics: ['recollect topics trip', 'recollect topics trip --live'],
  topic: ['recollect topics trip', 'recollect topic show trip 01jc9m3v7q8x4t2n5b6k7h8d9e'],
  'topic show': ['recollect topic show trip 01jc9m3v7q8x4t2n5b6k7h8d9e'],
  'topic merge': ['recollect topic merge trip 01jc9m3v7q8x4t2n5b6k7h8d9e 01jc9m4a0e1r5w9z3y7u2p6s8t'],
  'topic split': ['recollect topic split trip 01jc9m3v7q8x4t2n5b6k7h8d9e 01jc9m4a0e1r5w9z3y7u2p6s8t'],
  'topic restore': [
    'recollect topic restore trip 01jc9m3v7q8x4t2n5b6k7h8d9e',
    'recollect topic restore trip 01jc9m3v7q8x4t2n5b6k7h8d9e --undo',
  ],
  'topic move': ['recollect topic move trip 01jc9m3v7q8x4t2n5b6k7h8d9e 01jc9m4a0e1r5w9z3y7u2p6s8t'],
  'facts add': ['recollect facts add home Porto', 'recollect facts add diet vegetarian --since 2024-01-01'],
  'facts change': ['recollect facts change 5d54aefee9a3243b --value Braga'],
  'facts pin': ['recollect facts pin 5d54aefee9a3243b'],
  'facts unpin': ['recollect facts unpin 5d54aefee9a3243b'],
  'facts reject': ['recollect facts reject 5d54aefee9a3243b'],
  'facts restore': ['recollect facts restore 5d54aefee9a3243b'],
  'facts undo': ['recollect facts --history 5d54aefee9a3243b', 'recollect facts undo 12'],
  entities: ['recollect entities', 'recollect entities --in trip'],
  'preferences set': ['recollect preferences set units metric'],
  'preferences clear': ['recollect preferences clear units'],
  notes: ['recollect notes', 'recollect notes --in trip'],
  'blocks set': ['recollect blocks set project "Launch: 11 May" --replace "Launch: 4 May"'],
  'blocks history': ['recollect blocks history profile'],
  'blocks undo': ['recollect blocks undo profile'],
  'blocks delete': ['recollect blocks delete project'],
  'notes add': ['recollect notes add "Trams stop at one." --in trip'],
  'notes delete': ['recollect notes delete 5d54aefee9a3243b'],
  fork: ['recollect fork trip 01jc9m3v7q8x4t2n5b6k7h8d9e --id trip-by-train'],
  backup: ['recollect backup copy.db'],
  erase: ['recollect erase --conversation trip', 'recollect erase --everything --yes'],
  rebuild: ['recollect rebuild'],
  jobs: ['recollect jobs'],
  stats: ['recollect stats', 'recollect stats --json'],
  doctor: ['recollect doctor', 'recollect --db copy.db doctor'],
  page: ['recollect page list', 'recollect page show sales'],
  'page list': ['recollect page list'],
  'page show': ['recollect page show sales'],
  'page add-query': ['recollect page add-query sales "How many orders in May?"'],
  'page flag': ['recollect page flag 01jc9m3v7q8x4t2n5b6k7h8d9e'],
  'keys create': ['recollect keys create --name "web app"', 'recollect keys create --scope read'],
  'keys list': ['recollect keys list'],
  'keys revoke': ['recollect keys revoke 01jc9m3v7q8x4t2n5b6k7h8d9e'],
  documents: ['recollect documents', 'recollect documents --conversation trip'],
  document: ['recollect document add handbook.pdf', 'recollect documents'],
  'document add': [
    'recollect document add handbook.pdf notes.md',
    'recollect document add terms.md --conversation trip',
  ],
  'document show': ['recollect document show 01jc9m3v7q8x4t2n5b6k7h8d9e --chunks'],
  'document replace': ['recollect document replace 01jc9m3v7q8x4t2n5b6k7h8d9e handbook.pdf'],
  'document attach': ['recollect document attach 01jc9m3v7q8x4t2n5b6k7h8d9e --conversation trip'],
  'document detach': ['recollect document detach 01jc9m3v7q8x4t2n5b6k7h8d9e --conversation trip'],
  'document erase': ['recollect document erase 01jc9m3v7q8x4t2n5b6k7h8d9e'],
}

function addExamples(program: Command): void {
  for (const [path, lines] of Object.entries(EXAMPLES)) {
    const command = path
      .split(' ')
      .reduce<Command | undefined>((at, name) => at?.commands.find((one) => one.name() === name), program)
    command?.addHelpText('after', `\nExamples:\n  ${lines.join('\n  ')}`)
  }
}
