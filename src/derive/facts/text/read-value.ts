// Reads values from the text after a verb. Each reader takes the words that belong to the value and stops at the
// first that cannot. If nothing certain is left, there is no value, and so no fact.

import { multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { isPlace } from '../../entities/places.ts'
import { wordList } from './word-list.ts'

/** The values at the beginning of a text; empty if it does not begin with one. */
export type ValueReader = (text: string) => readonly string[]

const CALENDAR = wordList(
  `january february march april may june july august september october november december monday tuesday wednesday
   thursday friday saturday sunday today tomorrow yesterday christmas easter thanksgiving`,
)
const NOT_A_NAME = wordList(
  `i i'm i've i'll the a an my our your his her this that these those it so but and or if when then here there what how
   why who yes no not ok okay hey hi thanks thank please god lol am pm tv ai mr mrs ms dr also just never always`,
)
const JOINTS = wordList('of de da do dos van von der den la le el del di & y and')
const NAME_WORD = /^\p{Lu}[\p{L}\p{M}\p{N}'’.&+#-]*$/u

const isNameWord = (word: string): boolean =>
  NAME_WORD.test(word) && !NOT_A_NAME.has(word.toLowerCase()) && !CALENDAR.has(word.toLowerCase())

/** A run of capitalised words, with the small words that occur inside names. */
function readNameRun(text: string, mostWords: number): string {
  const run: string[] = []
  for (const raw of text.trimStart().split(/\s+/, mostWords + 2)) {
    const word = raw.replace(/[.,!?;:)]+$/u, '').replace(/'s$/, '')
    const fits =
      isNameWord(word) ||
      (run.length > 0 && JOINTS.has(word) && word !== 'and') ||
      (run.length > 0 && /^\d[\d.]*$/.test(word))
    if (!fits || run.length === mostWords) break
    run.push(word)
    if (word !== raw) break
  }
  while (run.length > 0 && JOINTS.has(run.at(-1) ?? '')) run.pop()
  return run.join(' ')
}

const some = (value: string): readonly string[] => (value === '' ? [] : [value])

/** The name of a person: up to three capitalised words. */
export const aPersonName: ValueReader = (text) => some(readNameRun(text, 3))

/** A given name, which people also write in lower case after "my name is". */
export const anOwnName: ValueReader = (text) => {
  const written = readNameRun(text, 3)
  if (written !== '') return [written]
  const word = /^([a-z]{2,15})(?=$|[,.!]| and\b)/.exec(text)?.[1]
  if (word === undefined || NOT_A_NAME.has(word) || CALENDAR.has(word)) return []
  return [word.charAt(0).toUpperCase() + word.slice(1)]
}

/** Names in a list: "Mia, Zoe and Ben". */
export const personNames: ValueReader = (text) => {
  const list =
    /^(?:[,:]\s*)?((?:\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)(?:(?:, and |, | and | & )\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)*)/u.exec(
      text,
    )?.[1]
  return (list ?? '')
    .replace(/'s\b/g, '')
    .split(/, and |, | and | & /)
    .filter((name) => name !== '' && name.split(' ').every(isNameWord))
}

/** The name of a place, with the region that follows it: "Porto, Portugal". */
export const aPlace: ValueReader = (text) => {
  const place = text.replace(/^the (?=[A-Z])/, '')
  const run = readNameRun(place, 4)
  if (run === '') return aKnownPlace(place)
  const region = /^,\s+/.test(place.slice(run.length))
    ? readNameRun(place.slice(run.length).replace(/^,\s+/, ''), 3)
    : ''
  return [region === '' || /^(?:and|but)/i.test(region) ? run : `${run}, ${region}`]
}

const aKnownPlace: ValueReader = (text) => {
  const words = text
    .replace(/[,.!?].*$/s, '')
    .split(/\s+/)
    .slice(0, 3)
  for (let size = words.length; size > 0; size--) {
    const name = words.slice(0, size).join(' ')
    if (isPlace(name)) return [name.replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase())]
  }
  return []
}

/** The name of a company or school. */
export const anOrganisation: ValueReader = (text) =>
  some(readNameRun(text.replace(/^(?:the|a company called|a startup called) /i, ''), 6))

/** Names of tools, with versions: "Python 3.11, Flask and SQLite". */
export const toolNames: ValueReader = (text) => {
  const tools: string[] = []
  let rest = text
  for (;;) {
    const run =
      /^(?:the |a |an |my )?((?:\p{Lu}[\p{L}\p{N}.+#/-]*|\p{Ll}+\p{Lu}\p{L}*)(?: (?:\p{Lu}[\p{L}\p{N}+#/-]*|v?\d[\w.]*))*)/u.exec(
        rest,
      )
    const name = run?.[1]?.replace(/[.,]+$/, '') ?? ''
    if (
      run === null ||
      !/\p{L}/u.test(name) ||
      NOT_A_NAME.has(name.toLowerCase()) ||
      CALENDAR.has(name.toLowerCase())
    )
      return tools
    tools.push(name)
    const next = /^(?:,? and |, | & |\/)/.exec(rest.slice(run[0].length))
    if (next === null) return tools
    rest = rest.slice(run[0].length + next[0].length)
  }
}

const PHRASE_ENDS = wordList(
  `and but or because since so if when while which who that although though as than unless until before after whenever
   whether where i i'm i've we we're you he she they it it's especially even too also either right lately recently
   now today anymore again instead due however can could would will is are was were has have had do does did how what`,
)
const NOT_A_THING = wordList(
  `it this that these those them him her you your his their its how when what where why who everything anything nothing
   something someone the both all every each most many much more some any such one ones there here not no
   yours mine ours theirs what's it's that's seeing hearing knowing getting feeling talking chatting us me my our
   showing finding catching a an for at on in with by from of as about around like too very`,
)
const WHEN =
  / (?:(?:in|on|since|until|from|by) (?:January|February|March|April|May|June|July|August|September|October|November|December|\w+day|\d{4})|(?:last|next|this|every) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)|(?:\w+ ){1,2}ago|yesterday|today|tomorrow)\b.*$/
const MOST_PHRASE_WORDS = 7

/** A thing or an activity, up to the next clause: "long walks by the sea". */
export const aThing: ValueReader = (text) => {
  const words = text
    .replace(/\b(an?) ([\w-]+), ([\w-]+) (?=\w)/i, '$1 $2 $3 ')
    .replace(/[.!?;:].*$|,(?! and ).*$/s, '')
    .replace(WHEN, '')
    .split(/\s+/)
    .filter(Boolean)
  const plain = words.map((word) => word.toLowerCase())
  const end = plain.findIndex(
    (word, place) => place > 0 && PHRASE_ENDS.has(word) && !isInsideName(words, place),
  )
  const isCutShort = end > 0 && (has(CUTS_SENSE, plain[end]) || has(DANGLING, plain[end - 1]))
  if (words.length === 0 || has(NOT_A_THING, plain[0]) || isCutShort) return []
  return aClearPhrase(end < 0 ? words : words.slice(0, end))
}

const EMPHASIS = multilineRegExp('i')`
    (?: (?:a lot|the most|the best|very much|so much|too much|too|as well|myself|ourselves|thanks|please|
    though|best|once|specifically|sometimes|quite a lot|lots|most|in general|right now|these days|lately))+$`

function aClearPhrase(given: readonly string[]): readonly string[] {
  const words = given.join(' ').replace(EMPHASIS, '').split(' ')
  // "keep to myself" does not mean to keep.
  if (words.length < given.length && DANGLING.has(words.at(-1)?.toLowerCase() ?? '')) return []
  const last = words.findLastIndex((word) => !DANGLING.has(word.toLowerCase()))
  const phrase = words.slice(0, last + 1)
  const isPointing = phrase.some((word) => POINTING.has(word.toLowerCase()))
  if (phrase.length === 0 || phrase.length > MOST_PHRASE_WORDS || isPointing) return []
  return [phrase.join(' ').replace(/[,"]+$/, '')]
}

/** "the Cambridge and County Folk Museum" continues after its "and". */
const isInsideName = (words: readonly string[], place: number): boolean =>
  words[place] === 'and' && isNameWord(words[place - 1] ?? '') && isNameWord(words[place + 1] ?? '')

const has = (list: ReadonlySet<string>, word: string | undefined): boolean =>
  word !== undefined && list.has(word)

/** "games that test me", "the friends I have": the words before describe a wider thing than the one meant. */
const CUTS_SENSE = wordList(
  'that who which i we you he she they it where what how is are was were has have had can could would will',
)
const DANGLING = wordList(
  'of in for to with at on from by the a an about like into more very really so and or just',
)
/** Words whose meaning depends on when they are said. */
const POINTING = wordList(
  'this that these those it them your you here there such his her him their he she its',
)

const wordCount = (text = ''): number => text.trim().split(/\s+/).length

/** Several things: "hiking, jazz and long walks". */
export const things: ValueReader = (text) => {
  const list = /^((?:[\w'-]+ ?){1,3}(?:, (?:[\w'-]+ ?){1,3})*,? and (?:[\w'-]+ ?){1,3})$/.exec(
    text.replace(/[.!]+$/, ''),
  )
  const parts = (list?.[1] ?? text).split(list === null ? /$^/ : /,? and |, /)
  // In "electronic and rock music" the last word belongs to both.
  const isShared = parts.length === 2 && wordCount(parts[0]) === 1 && wordCount(parts.at(-1)) > 1
  if (isShared) return aClearPhrase(text.replace(/[.!]+$/, '').split(/\s+/))
  const read = parts.map((part) => aThing(part.trim())[0])
  const isList = list !== null && read.every((part) => part !== undefined)
  return isList ? read.filter((part) => part !== undefined) : aThing(text)
}
