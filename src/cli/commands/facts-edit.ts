import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { FactChanges, FactKind, FactWithHistory } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { describeFact } from '../print-facts.ts'
import { dim, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

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
export function factEditCommands(): Command[] {
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
