// What may stand where the cursor is: names of commands, options, values that are known. Read from the same program
// that runs the commands, so that it is never out of date.

import type { Argument, Command, Option } from 'commander'

export interface Candidate {
  readonly word: string
  readonly about: string
}

/** Ids that have to be looked up in the memory. */
export type IdKind = 'conversation' | 'document' | 'page'

export interface Completion {
  readonly candidates: readonly Candidate[]
  readonly ids?: IdKind
  /** The memory that the line names so far. */
  readonly db?: string
  readonly workspace?: string
}

/** `words` are those after the name of the program; the last one is being written. */
export function completeWords(program: Command, words: readonly string[]): Completion {
  const current = words.at(-1) ?? ''
  const place = findPlace(program, words.slice(0, -1))
  const found = place.option ? valuesOf(place.option) : wordsAt(place, current)
  const { candidates, ids } = found
  return {
    candidates: candidates.filter(({ word }) => word.startsWith(current)),
    ...(ids !== undefined && { ids }),
    ...place.globals,
  }
}

interface Place {
  /** From the program to the command whose words these are. */
  readonly chain: readonly Command[]
  readonly command: Command
  /** How many of its arguments are there already. */
  readonly given: number
  /** The option that waits for its value. */
  readonly option?: Option | undefined
  readonly globals: Pick<Completion, 'db' | 'workspace'>
}

const findPlace = (program: Command, words: readonly string[]): Place =>
  words.reduce(afterWord, { chain: [program], command: program, given: 0, globals: {} })

function afterWord(place: Place, word: string): Place {
  // Shells cut `--db=file` into three words.
  if (word === '=') return place
  if (place.option !== undefined) return afterValue(place, place.option, word)
  if (word.startsWith('-')) return { ...place, option: takingValue(place.chain, word) }
  const next = place.given === 0 ? place.command.commands.find((one) => one.name() === word) : undefined
  if (next === undefined) return { ...place, given: place.given + 1 }
  return { ...place, chain: [...place.chain, next], command: next }
}

function afterValue({ globals, ...place }: Place, option: Option, value: string): Place {
  const name = option.attributeName()
  const isGlobal = name === 'db' || name === 'workspace'
  return { ...place, option: undefined, globals: isGlobal ? { ...globals, [name]: value } : globals }
}

function takingValue(chain: readonly Command[], word: string): Option | undefined {
  const options = chain.flatMap(({ options: own }) => own)
  const found = options.find(({ long, short }) => word === long || word === short)
  return found !== undefined && (found.required || found.optional) ? found : undefined
}

type Found = Pick<Completion, 'candidates' | 'ids'>

function wordsAt(place: Place, current: string): Found {
  if (current.startsWith('-')) return { candidates: optionsAt(place) }
  const parts = place.given === 0 ? partsOf(place.command) : []
  const { registeredArguments: all } = place.command
  const last = all.at(-1)
  const argument = all[place.given] ?? (last?.variadic === true ? last : undefined)
  const { candidates, ids } = argument === undefined ? NOTHING : argumentValues(place, argument)
  return { candidates: [...parts, ...candidates], ...(ids !== undefined && { ids }) }
}

const NOTHING: Found = { candidates: [] }

const partsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((part) => ({ word: part.name(), about: part.description() }))

/** Those of the command first, then those that all have. */
const optionsAt = ({ chain }: Place): readonly Candidate[] =>
  chain.toReversed().flatMap((command) =>
    command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : [])),
  )

function valuesOf(option: Option): Found {
  const candidates = (option.argChoices ?? []).map((word) => ({ word, about: '' }))
  const name = /<(\w+)/.exec(option.flags)?.[1] ?? ''
  const ids = idKind(option.long?.slice(2) ?? '') ?? idKind(name)
  return { candidates, ...(ids !== undefined && { ids }) }
}

function argumentValues({ chain }: Place, argument: Argument): Found {
  const candidates = (argument.argChoices ?? []).map((word) => ({ word, about: '' }))
  const isDocument = chain.some((command) => command.name() === 'document') && argument.name() === 'id'
  const ids = isDocument ? 'document' : idKind(argument.name())
  return { candidates, ...(ids !== undefined && { ids }) }
}

const IDS: readonly IdKind[] = ['conversation', 'document', 'page']
const idKind = (name: string): IdKind | undefined => IDS.find((kind) => kind === name)
