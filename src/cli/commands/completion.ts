import { existsSync } from 'node:fs'
import { Argument, type Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { configFromEnvironment, type Memory, openMemory } from '../../index.ts'
import { type Candidate, type Completion, completeWords, type IdKind } from '../completion/complete-words.ts'
import { SCRIPTS, type Shell } from '../completion/shell-scripts.ts'
import { clip } from '../terminal.ts'
import { newCommand } from '../with-memory.ts'

const EXAMPLES = `
Examples:
  echo 'source <(recollect completion bash)' >> ~/.bashrc
  echo 'source <(recollect completion zsh)' >> ~/.zshrc          # below compinit
  recollect completion fish > ~/.config/fish/completions/recollect.fish

Completes commands, options, option values, and the ids of conversations, documents and pages.`

export function completionCommand(): Command {
  const shells = Object.keys(SCRIPTS) as Shell[]
  return newCommand('completion', 'Print a shell completion script.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell])
    })
}

/** Called by the completion scripts; hidden from the help. */
export function completeWordsCommand(): Command {
  return newCommand('complete-words', 'Print the completions for a command line.')
    .argument('[words...]')
    .action(async (words: readonly string[], _flags: object, command: Command) => {
      const program = command.parent
      if (program === null) return
      const completion = completeWords(program, words)
      const ids = await findIds(completion, words.at(-1) ?? '')
      const lines = [...completion.candidates, ...ids].map(
        ({ word, about }) => `${word}\t${clip(about, MOST_ABOUT)}\n`,
      )
      process.stdout.write(lines.join(''))
    })
}

const MOST_ABOUT = 60
/** The most recently used; for others, type the first letters. */
const MOST_IDS = 200
/** Words that need no quoting in a shell. */
const PLAIN = /^[\w.@+/-]+$/

async function findIds({ ids, db, workspace }: Completion, prefix: string): Promise<readonly Candidate[]> {
  const path = db ?? process.env['RECOLLECT_DB'] ?? 'memory.db'
  if (ids === undefined || !existsSync(path)) return []
  const options = { ...configFromEnvironment(process.env), ...definedFields({ workspace }) }
  const memory = await openMemory(path, { ...options, derive: { when: 'never' } })
  try {
    const all = await listIds(memory, ids)
    return all.filter(({ word }) => PLAIN.test(word) && word.startsWith(prefix))
  } finally {
    await memory.close()
  }
}

async function listIds(memory: Memory, kind: IdKind): Promise<readonly Candidate[]> {
  const limit = MOST_IDS
  if (kind === 'conversation') {
    const { items } = await memory.conversations.list({ limit, archived: 'with' })
    return items.map(({ id, title = '' }) => ({ word: id, about: title }))
  }
  if (kind === 'document')
    return (await memory.documents.list({ limit })).items.map(({ id, name }) => ({ word: id, about: name }))
  return (await memory.pages.list({ limit })).items.map(({ pageId }) => ({ word: pageId, about: '' }))
}
