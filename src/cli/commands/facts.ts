import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type Fact, type FactKind, type FactWithHistory, type Memory, MemoryError } from '../../index.ts'
import { describeFact, printFacts } from '../print-facts.ts'
import { bold, dim, formatTime, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'
import { factEditCommands } from './facts-edit.ts'

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
