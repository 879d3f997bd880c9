import type { Command } from 'commander'
import { type Erased, type Memory, MemoryError } from '../../index.ts'
import { confirm } from '../arguments.ts'
import { ERASE_PENDING } from '../erase-pending.ts'
import { print, printJson, yellow } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface EraseFlags {
  readonly message?: string
  readonly conversation?: string
  readonly everything?: boolean
  readonly finish?: boolean
  readonly yes?: boolean
}

export function eraseCommand(): Command {
  return newCommand('erase', 'Erase words for good: afterwards no byte of them is left in the files.')
    .option('--message <id>', 'one message, with its copies in forks')
    .option('--conversation <id>', 'a whole conversation')
    .option('--everything', 'the whole workspace')
    .option('--finish', 'finish an erase that had to wait for another program')
    .option('--yes', 'without asking')
    .addHelpText(
      'after',
      '\nBackups and exports that were made before keep what they have: delete those yourself.',
    )
    .action((flags: EraseFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const outcome = flags.finish ? await finish(memory) : await eraseChosen(memory, flags)
        if (isJson) printJson(outcome)
        else printErased(outcome)
      }),
    )
}

async function finish(memory: Memory): Promise<Pick<Erased, 'isScrubbed'>> {
  return { isScrubbed: await memory.finishErasing() }
}

async function eraseChosen(memory: Memory, flags: EraseFlags): Promise<Erased> {
  const { message, conversation, everything, yes = false } = flags
  const chosen = [message, conversation, everything].filter((choice) => choice !== undefined)
  if (chosen.length !== 1) {
    throw new MemoryError('invalid-input', 'say what to erase', {
      hint: 'one of --message ID, --conversation ID, --everything or --finish',
    })
  }
  await confirm(`Erase ${whatOf(flags)} for good? There is no undo.`, yes)
  if (message !== undefined) return memory.eraseMessage(message)
  return conversation === undefined ? memory.eraseEverything() : memory.conversation(conversation).erase()
}

function whatOf({ message, conversation }: EraseFlags): string {
  if (message !== undefined) return `the message ${message}`
  return conversation === undefined ? 'everything' : `the conversation "${conversation}"`
}

function printErased({ messages, conversations = 0, copiesIn = [], isScrubbed }: Partial<Erased>): void {
  const inside = conversations > 0 ? ` in ${conversations} conversations` : ''
  if (messages !== undefined) print(`Erased ${messages} messages${inside}.`)
  if (copiesIn.length > 0) {
    print(yellow(`Copies live on in forks: ${copiesIn.join(', ')}. Erase those too if you want.`))
  }
  print(isScrubbed ? 'No byte of what was erased is left in the files.' : yellow(ERASE_PENDING))
}
