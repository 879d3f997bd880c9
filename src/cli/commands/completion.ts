import { existsSync } from 'node:fs'
import { Argument, type Command, type Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { configFromEnvironment, type Memory, openMemory } from '../../index.ts'
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

// Completes command names, options and option values. Reads them from the program that runs the commands, so that they
// are never out of date.

interface Candidate {
  readonly word: string
  readonly about: string
}

/** Ids that have to be looked up in the memory. */
type IdKind = 'conversation' | 'document' | 'page'

interface Completion {
  readonly candidates: readonly Candidate[]
  readonly ids?: IdKind
  /** The database given on the command line so far. */
  readonly db?: string
  readonly workspace?: string
}

/** `words` are the words after the program name; the last one is being typed. */
function completeWords(program: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? ''
  const place = findPlace(program, words.slice(0, -1))
  const found = place.option ? valuesOf(place.option) : suggestionsAt(place, current)
  const { candidates, ids } = found
  return {
    candidates: candidates.filter(({ word }) => word.startsWith(current)),
    ...(ids !== undefined && { ids }),
    ...place.globals,
  }
}

interface CursorState {
  /** From the program down to the current command. */
  readonly chain: readonly Command[]
  readonly command: Command
  /** The number of its arguments typed so far. */
  readonly argumentCount: number
  /** The option whose value comes next. */
  readonly option?: Option | undefined
  readonly globals: Pick<Completion, 'db' | 'workspace'>
}

const findPlace = (program: Command, words: readonly string[]): CursorState =>
  words.reduce(afterWord, { chain: [program], command: program, argumentCount: 0, globals: {} })

function afterWord(place: CursorState, word: string): CursorState {
  // Shells split `--db=file` into three words.
  if (word === '=') return place
  if (place.option !== undefined) return afterValue(place, place.option, word)
  if (word.startsWith('-')) return { ...place, option: optionWithValue(place.chain, word) }
  const next =
    place.argumentCount === 0 ? place.command.commands.find((one) => one.name() === word) : undefined
  if (next === undefined) return { ...place, argumentCount: place.argumentCount + 1 }
  return { ...place, chain: [...place.chain, next], command: next }
}

function afterValue({ globals, ...place }: CursorState, option: Option, value: string): CursorState {
  const name = option.attributeName()
  const isGlobal = name === 'db' || name === 'workspace'
  return { ...place, option: undefined, globals: isGlobal ? { ...globals, [name]: value } : globals }
}

function optionWithValue(chain: readonly Command[], word: string): Option | undefined {
  const options = chain.flatMap(({ options: own }) => own)
  const found = options.find(({ long, short }) => word === long || word === short)
  return found !== undefined && (found.required || found.optional) ? found : undefined
}

type Suggestions = Pick<Completion, 'candidates' | 'ids'>

function suggestionsAt(place: CursorState, current: string): Suggestions {
  if (current.startsWith('-')) return { candidates: optionsAt(place) }
  const parts = place.argumentCount === 0 ? partsOf(place.command) : []
  const { registeredArguments: all } = place.command
  const last = all.at(-1)
  const argument = all[place.argumentCount] ?? (last?.variadic === true ? last : undefined)
  const { candidates, ids } = argument === undefined ? NO_SUGGESTIONS : argumentValues(place, argument)
  return { candidates: [...parts, ...candidates], ...(ids !== undefined && { ids }) }
}

const NO_SUGGESTIONS: Suggestions = { candidates: [] }

const partsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((part) => ({ word: part.name(), about: part.description() }))

/** Options of the command first, then global options. */
const optionsAt = ({ chain }: CursorState): readonly Candidate[] =>
  chain.toReversed().flatMap((command) =>
    command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
  )

function valuesOf(option: Option): Suggestions {
  const candidates = (option.argChoices ?? []).map((word) => ({ word, about: '' }))
  const name = /<(\w+)/.exec(option.flags)?.[1] ?? ''
  const ids = idKind(option.long?.slice(2) ?? '') ?? idKind(name)
  return { candidates, ...(ids !== undefined && { ids }) }
}

function argumentValues({ chain }: CursorState, argument: Argument): Suggestions {
  const candidates = (argument.argChoices ?? []).map((word) => ({ word, about: '' }))
  const isDocument = chain.some((command) => command.name() === 'document') && argument.name() === 'id'
  const ids = isDocument ? 'document' : idKind(argument.name())
  return { candidates, ...(ids !== undefined && { ids }) }
}

const IDS: readonly IdKind[] = ['conversation', 'document', 'page']
const idKind = (name: string): IdKind | undefined => IDS.find((kind) => kind === name)

// Completion scripts. On every Tab they call `recollect complete-words`, which prints a word, a tab and a description per
// line. If it prints nothing, the shell completes file names.

type Shell = 'bash' | 'zsh' | 'fish'

const BASH = `_recollect() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" complete-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _recollect recollect
`

const ZSH = `#compdef recollect
_recollect() {
  local line
  local -a described
  for line in "\${(@f)$("$words[1]" complete-words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#described )); then
    _describe recollect described
  else
    _files
  fi
}
compdef _recollect recollect
`

const FISH = `function __recollect_words
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($before[1] complete-words -- $before[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c recollect -f -a '(__recollect_words)'
`

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
