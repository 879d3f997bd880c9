import type { Command } from 'commander'
import { type Erased, type Memory, MemoryError } from '../../index.ts'
import { confirm } from '../arguments.ts'
import { countOf, print, printJson, yellow } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface EraseFlags {
  readonly message?: string
  readonly conversation?: string
  readonly page?: string
  readonly query?: string
  readonly document?: string
  readonly everything?: boolean
  readonly finish?: boolean
  readonly yes?: boolean
}

export function eraseCommand(): Command {
  return newCommand(
    'erase',
    'Permanently erase messages, conversations, pages or documents from the database files.',
  )
    .option('--message <id>', 'one message, with its copies in forks')
    .option(
      '--conversation <id>',
      'a conversation, with the page of the same id and the documents only it uses',
    )
    .option('--page <id>', 'a page with its queries, but not a conversation of the same id')
    .option('--query <id>', 'one query of a page')
    .option('--document <id>', 'a document with all its versions')
    .option('--everything', 'the whole workspace')
    .option('--finish', 'finish an erasure that was waiting for another program')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', '\nBackups and exports made before are not affected. Delete them yourself.')
    .action((flags: EraseFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const outcome = flags.finish ? await finish(memory) : await eraseChosen(memory, flags)
        if (isJson) printJson(outcome)
        else printErased(outcome)
      }),
    )
}

async function finish(memory: Memory): Promise<Pick<Erased, 'isScrubbed'>> {
  return { isScrubbed: await memory.maintenance.finishErasing() }
}

async function eraseChosen(memory: Memory, flags: EraseFlags): Promise<Erased> {
  const choices = toChoices(memory, flags)
  const [choice] = choices
  if (choice === undefined || choices.length > 1) {
    throw new MemoryError('invalid-input', 'choose one thing to erase', {
      hint: 'use one of --message ID, --conversation ID, --page ID, --query ID, --document ID, --everything or --finish',
    })
  }
  await confirm(`Erase ${choice.what}? This can't be undone.`, flags.yes ?? false)
  return choice.erase()
}

interface Choice {
  readonly what: string
  readonly erase: () => Promise<Erased>
}

function toChoices(memory: Memory, flags: EraseFlags): readonly Choice[] {
  const { message, conversation, page, query, document, everything } = flags
  const choose = (id: string | undefined, what: string, erase: (id: string) => Promise<Erased>) =>
    id === undefined ? [] : [{ what: `${what} "${id}"`, erase: () => erase(id) }]
  return [
    ...choose(message, 'the message', (id) => memory.messages.erase(id)),
    ...choose(conversation, 'the conversation', (id) => memory.conversation(id).erase()),
    ...choose(page, 'the page', (id) => memory.page(id).erase()),
    ...choose(query, 'the query', (id) => memory.queries.erase(id)),
    ...choose(document, 'the document', (id) => memory.documents.erase(id)),
    ...(everything ? [{ what: 'everything', erase: () => memory.erase() }] : []),
  ]
}

function printErased({ copiesIn = [], isScrubbed, ...erased }: Partial<Erased>): void {
  const { messages, conversations = 0, pages = 0, queries = 0, documents = 0 } = erased
  const inside = conversations > 0 ? ` in ${countOf(conversations, 'conversation')}` : ''
  const onPages = pages > 0 ? ` on ${countOf(pages, 'page')}` : ''
  const hasOnlyOthers = messages === 0 && conversations === 0 && pages + queries + documents > 0
  if (messages !== undefined && !hasOnlyOthers) print(`Erased ${countOf(messages, 'message')}${inside}.`)
  if (pages + queries > 0) print(`Erased ${queries} ${queries === 1 ? 'query' : 'queries'}${onPages}.`)
  if (documents > 0) print(`Erased ${countOf(documents, 'document')}.`)
  if (copiesIn.length > 0) {
    print(yellow(`Forks still have copies: ${copiesIn.join(', ')}. Erase them too if needed.`))
  }
  print(isScrubbed ? ERASE_DONE : yellow(ERASE_PENDING))
}

/** Printed after an erasure that is complete. */
export const ERASE_DONE = 'Nothing of it remains in the database files.'
/** Printed when erased text is still in the files, because another program reads an old state. */
export const ERASE_PENDING =
  'It can no longer be read or found, but its bytes are still in the files because another program has them open. Once that program is closed, run: recollect erase --finish'
