// Completes command names, options and option values. Reads them from the program that runs the commands, so that they
// are never out of date.

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
  /** The database given on the command line so far. */
  readonly db?: string
  readonly workspace?: string
}

/** `words` are the words after the program name; the last one is being typed. */
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

type Found = Pick<Completion, 'candidates' | 'ids'>

function wordsAt(place: CursorState, current: string): Found {
  if (current.startsWith('-')) return { candidates: optionsAt(place) }
  const parts = place.argumentCount === 0 ? partsOf(place.command) : []
  const { registeredArguments: all } = place.command
  const last = all.at(-1)
  const argument = all[place.argumentCount] ?? (last?.variadic === true ? last : undefined)
  const { candidates, ids } = argument === undefined ? NOTHING : argumentValues(place, argument)
  return { candidates: [...parts, ...candidates], ...(ids !== undefined && { ids }) }
}

const NOTHING: Found = { candidates: [] }

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

function valuesOf(option: Option): Found {
  const candidates = (option.argChoices ?? []).map((word) => ({ word, about: '' }))
  const name = /<(\w+)/.exec(option.flags)?.[1] ?? ''
  const ids = idKind(option.long?.slice(2) ?? '') ?? idKind(name)
  return { candidates, ...(ids !== undefined && { ids }) }
}

function argumentValues({ chain }: CursorState, argument: Argument): Found {
  const candidates = (argument.argChoices ?? []).map((word) => ({ word, about: '' }))
  const isDocument = chain.some((command) => command.name() === 'document') && argument.name() === 'id'
  const ids = isDocument ? 'document' : idKind(argument.name())
  return { candidates, ...(ids !== undefined && { ids }) }
}

const IDS: readonly IdKind[] = ['conversation', 'document', 'page']
const idKind = (name: string): IdKind | undefined => IDS.find((kind) => kind === name)
