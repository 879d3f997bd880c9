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

/** What can be done to facts: subcommands of `facts`. */
export function factEditCommands(): Command[] {
  return [
    addCommand(),
    changeCommand(),
    markCommand('pin', 'Keep a fact in front.'),
    markCommand('unpin', 'Take the pin away.'),
    markCommand('reject', 'Reject a fact: it does not come back by being said again.'),
    markCommand('restore', 'Let a rejected fact hold again.'),
    undoCommand(),
  ]
}

/** Options that `facts` has as well, such as --subject, end up there wherever they stand. */
const flagsOf = (command: Command): FactFlags => command.optsWithGlobals<FactFlags>()

const kindOption = () =>
  new Option('--kind <kind>', 'what it is').choices(['fact', 'preference', 'instruction'])

function addCommand(): Command {
  return newCommand('add', 'Add a fact. It wins over what was said before; later words may close it.')
    .argument('<attribute>', 'home, diet, likes, instruction …')
    .argument('<value...>', 'its value')
    .option('--subject <name>', 'about whom (user)')
    .addOption(kindOption())
    .option('--since <date>', 'when it began (now)')
    .option('--until <date>', 'when it ends (it stays)')
    .option('--in <conversation>', 'the conversation it belongs to and is erased with')
    .action((attribute: string, words: string[], _flags: object, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const { subject, kind, since, until, in: conversationId } = flagsOf(command)
        const more = definedFields({ subject, kind, validFrom: since, validUntil: until, conversationId })
        report(await memory.facts.add({ attribute, value: words.join(' '), ...more }), isJson)
      }),
    )
}

function changeCommand(): Command {
  return newCommand('change', 'Change a fact; its history keeps what it said before.')
    .argument('<id>', 'id of the fact')
    .option('--value <value>', 'the right value')
    .option('--attribute <name>', 'the right attribute')
    .option('--subject <name>', 'about whom')
    .addOption(kindOption())
    .option('--since <date>', 'when it began')
    .option('--until <date>', 'when it ended')
    .option('--open', 'it has no end')
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
  return newCommand('undo', 'Take an edit back as if it had never been made; --history shows the edits.')
    .argument('<edit>', 'number of the edit', toCount)
    .action((editId: number, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        await memory.facts.undo(editId)
        if (isJson) printJson({ undone: editId })
        else print(`Edit ${editId} is undone.`)
      }),
    )
}

function report(fact: FactWithHistory, isJson: boolean): void {
  const last = fact.history.at(-1)?.type ?? ''
  if (isJson) printJson(fact)
  else print(`${describeFact(fact)} ${dim(`${fact.id} · ${last}`)}`)
}
