import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Fact,
  type FactChanges,
  type FactKind,
  type FactWithHistory,
  type Memory,
  MemoryError,
} from '../../index.ts'
import { toCount } from '../arguments.ts'
import { bold, clip, dim, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface FactsFlags {
  readonly asOf?: string
  readonly subject?: string
  readonly attribute?: string
  readonly kind?: FactKind
  readonly in?: string
  readonly closed?: boolean
  readonly rejected?: boolean
  readonly history?: string
}

export function factsCommand(): Command {
  const command = newCommand(
    'facts',
    'List facts with their dates, show the history of a fact, or add, correct, pin and reject facts.',
  )
    .option('--as-of <date>', 'facts valid at this time: 2026-05-01 or 2026-05-01T12:00:00Z (default: now)')
    .option('--subject <name>', 'only facts about user, a speaker, or a person or thing mentioned')
    .option('--attribute <name>', 'only this attribute: home, diet, likes …')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(['fact', 'preference', 'instruction']))
    .option('--in <conversation>', 'only from this conversation')
    .option('--closed', 'include facts that are no longer valid')
    .option('--rejected', 'include rejected facts')
    .option('--history <id>', 'show the history of a fact')
    .addHelpText('after', EXAMPLES)
    .action((flags: FactsFlags, self: Command) =>
      withMemory(self, { mayCreate: false }, async ({ memory, isJson }) => {
        if (flags.history !== undefined) return showHistory(memory, flags.history, isJson)
        const facts = await listFacts(memory, flags)
        if (isJson) return printJson(facts)
        if (facts.length > 0) return printFacts(facts)
        print(
          'No matching facts. Facts are found in recorded messages; add one with: recollect facts add home Porto',
        )
      }),
    )
  for (const edit of factEditCommands()) command.addCommand(edit)
  return command
}

const EXAMPLES = `
Examples:
  recollect facts --as-of 2026-05-01
  recollect facts add diet vegetarian --since 2024-01-01
  recollect facts reject 5d54aefee9a3243b`

function listFacts(memory: Memory, flags: FactsFlags): Promise<readonly Fact[]> {
  const { subject, attribute, kind, asOf, closed, rejected } = flags
  return memory.facts
    .list(
      definedFields({
        subject,
        attribute,
        kind,
        asOf,
        conversationId: flags.in,
        includeClosed: closed,
        includeRejected: rejected,
      }),
    )
    .toArray()
}

async function showHistory(memory: Memory, id: string, isJson: boolean): Promise<void> {
  const fact = await memory.facts.get(id)
  if (fact === undefined)
    throw new MemoryError('not-found', `no fact "${id}"`, { hint: 'list them with: recollect facts' })
  if (isJson) return printJson(fact)
  print(bold(describeFact(fact)), dim(`${fact.id} · confidence ${fact.confidence.toFixed(2)}`), '')
  for (const event of fact.history) print(describeEvent(event))
}

function describeEvent({
  type,
  at,
  messageId,
  editId,
  by,
  before,
}: FactWithHistory['history'][number]): string {
  const cause = messageId === undefined ? `edit ${editId}` : `message ${messageId}`
  const was = before === undefined ? '' : `, was ${before.attribute}: ${before.value}`
  const next = by === undefined ? '' : `, now ${by}`
  return `${formatTime(at)}  ${type.padEnd(10)}  ${dim(cause + was + next)}`
}

const formatDay = (moment: Date): string => moment.toISOString().slice(0, 10)

function describeFact({ subject, attribute, value }: Fact): string {
  return `${subject} · ${attribute}: ${value}`
}

export function printFacts(facts: readonly Fact[]): void {
  printTable([['since', 'until', 'about', 'fact', 'id'], ...facts.map(toRow)])
}

function toRow(fact: Fact): string[] {
  const { id, validFrom, validUntil, subject, attribute, value, pinnedAt, rejectedAt, origin } = fact
  const marks = [
    pinnedAt === undefined ? '' : '[pinned]',
    rejectedAt === undefined ? '' : '[rejected]',
    origin === 'given' ? '[added]' : '',
  ]
  const what = clip([`${attribute}: ${value}`, ...marks].filter(Boolean).join(' '), 70)
  return [
    formatDay(validFrom),
    validUntil === undefined ? '' : formatDay(validUntil),
    clip(subject, 20),
    what,
    id,
  ]
}

interface FactFlags {
  readonly subject?: string
  readonly attribute?: string
  readonly value?: string
  readonly kind?: FactKind
  readonly since?: string
  readonly until?: string
  readonly open?: boolean
  readonly in?: string
}

/** Subcommands of `facts` that change facts. */
function factEditCommands(): Command[] {
  return [
    addCommand(),
    changeCommand(),
    markCommand('pin', 'Pin a fact: it is always included in contexts.'),
    markCommand('unpin', 'Unpin a fact.'),
    markCommand('reject', 'Mark a fact as wrong; it does not come back when it is mentioned again.'),
    markCommand('restore', 'Restore a rejected fact.'),
    undoCommand(),
  ]
}

/** Commander assigns options that `facts` also has, such as --subject, to `facts`. */
const flagsOf = (command: Command): FactFlags => command.optsWithGlobals<FactFlags>()

const kindOption = () =>
  new Option('--kind <kind>', 'kind of fact').choices(['fact', 'preference', 'instruction'])

function addCommand(): Command {
  return newCommand('add', 'Add a fact. It replaces earlier values; later messages can replace it.')
    .argument('<attribute>', 'home, diet, likes, instruction …')
    .argument('<value...>', 'value of the fact')
    .option('--subject <name>', 'who or what it is about (default: user)')
    .addOption(kindOption())
    .option('--since <date>', 'valid from this date (default: now)')
    .option('--until <date>', 'valid until this date (default: no end)')
    .option('--in <conversation>', 'conversation it belongs to and is erased with')
    .action((attribute: string, words: string[], _flags: object, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const { subject, kind, since, until, in: conversationId } = flagsOf(command)
        const more = definedFields({ subject, kind, validFrom: since, validUntil: until, conversationId })
        report(await memory.facts.add({ attribute, value: words.join(' '), ...more }), isJson)
      }),
    )
}

function changeCommand(): Command {
  return newCommand('change', 'Correct a fact; its history keeps the old value.')
    .argument('<id>', 'id of the fact')
    .option('--value <value>', 'new value')
    .option('--attribute <name>', 'new attribute')
    .option('--subject <name>', 'who or what it is about')
    .addOption(kindOption())
    .option('--since <date>', 'valid from this date')
    .option('--until <date>', 'valid until this date')
    .option('--open', 'remove the end date')
    .action((id: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) =>
        report(await memory.facts.update(id, toChanges(flagsOf(command))), isJson),
      ),
    )
}

function toChanges({ subject, attribute, value, kind, since, until, open }: FactFlags): FactChanges {
  const changes = definedFields({ subject, attribute, value, kind, validFrom: since, validUntil: until })
  return open === true ? { ...changes, validUntil: null } : changes
}

type Mark = 'pin' | 'unpin' | 'reject' | 'restore'

function markCommand(mark: Mark, description: string): Command {
  return newCommand(mark, description)
    .argument('<id>', 'id of the fact')
    .action((id: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) =>
        report(await memory.facts[mark === 'reject' ? 'delete' : mark](id), isJson),
      ),
    )
}

function undoCommand(): Command {
  return newCommand('undo', 'Undo an edit. List edits with: recollect facts --history <id>')
    .argument('<edit>', 'number of the edit', toCount)
    .action((editId: number, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        await memory.facts.undo(editId)
        if (isJson) printJson({ undone: editId })
        else print(`Undid edit ${editId}.`)
      }),
    )
}

function report(fact: FactWithHistory, isJson: boolean): void {
  const last = fact.history.at(-1)?.type ?? ''
  if (isJson) printJson(fact)
  else print(`${describeFact(fact)} ${dim(`${fact.id} · ${last}`)}`)
}
