import type { Imported, ImportedConversation, ImportProblem } from '../index.ts'
import {
  clip,
  countOf,
  dim,
  formatCount,
  formatTime,
  print,
  printJson,
  printTable,
  red,
  yellow,
} from './terminal.ts'

interface PrintOptions {
  readonly isDryRun: boolean
  readonly isJson: boolean
  /** The conversations a dry run would import. */
  readonly conversations: readonly ImportedConversation[]
}

/** Longer lists are available with `--json`. */
const MOST_ROWS = 20
const MOST_PROBLEMS = 10

export function printImported(imported: Imported, { isDryRun, isJson, conversations }: PrintOptions): void {
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
  const existing = known > 0 ? ` (${describeKnown(imported)} already imported)` : ''
  return `${isDryRun ? 'Would import' : 'Imported'} ${parts.join(', ')}${existing}.`
}

function describeKnown({ conversations, messages, facts, known }: Imported): string {
  const areMemories = messages + conversations === 0 && facts > 0
  if (known === 1) return `1 ${areMemories ? 'memory' : 'message'}`
  return `${formatCount(known)} ${areMemories ? 'memories' : 'messages'}`
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
