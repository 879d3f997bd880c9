// "The tuner is Agnes Baird. She charges 70": a statement is listed without the sentence before it, so a pronoun at
// its start is replaced by the person last spoken of. Where nobody was, the sentence says nothing to a reader later.
//
// In English a possessive becomes a genitive ("Agnes Baird's number"). In other languages articles and word order would
// have to change with it, so the person is put in brackets: "su número (Agnes Baird)".

import { announcesChange } from '../../../domain/change-words.ts'
import { alternatives } from '../../../domain/multiline-regexp.ts'
import { isDateWord } from './read-values.ts'
import type { Sentence } from './split-sentences.ts'

export interface Resolved {
  readonly sentences: readonly ResolvedSentence[]
  /** The only person spoken of, for the speaker's next message. */
  readonly person?: string
}

export interface ResolvedSentence extends Sentence {
  /** As it was written. */
  readonly written: string
}

const ENGLISH = /^(?:he|she|they|his|her|their)(?:['’]s|['’]re|['’]ll)?(?!\p{L})/iu

/** A subject pronoun, without those that also mean "you", "it" or nothing where no verb in the third person follows. */
const SUBJECT = new RegExp(
  `^(?:${alternatives`
  he|she|they(?= (?:are|have|live|work|want|need)\b)|er|sie(?= (?:ist|hat|wird|kann|muss|darf|will|war|\p{L}+t)(?!\p{L}))|
  él|ella|elle|il(?! (?:y a|faut|fait|pleut|neige|reste|est (?:\d|possible|temps|tard)|s['’]agit|vaut|me (?:faut|reste)|
  \p{Ll}+ è|\p{Ll}+ (?:costa|si|non|ha)))(?= (?:est|a|va|doit|veut|peut|dit|me|se|ne|n['’]|travaille|habite|coûte|vient|\p{L}+e(?= ))(?!\p{L}))|
  ele|ela|lui|lei`})(?!\\p{L})`,
  'iu',
)
const POSSESSIVE =
  /^((?:(?:il|la|i|le) )?(?:ihr|ihre|sein|seine|su|sus|son|sa|ses|suo|sua|suoi|sue)) (\p{L}[\p{L}-]+)(?= )/iu

/** Words for people by what they are to the speaker or do. */
const ROLES = alternatives`
  physio\w*|doctor|gp|dentist|vet|nurse|midwife|therapist|teacher|tutor|coach|trainer|boss|manager|lawyer|accountant|agent|landlord|landlady|
  plumber|electrician|builder|gardener|cleaner|tuner|hairdresser|babysitter|nanny|neighbou?r|colleague|friend|partner|wife|husband|
  girlfriend|boyfriend|daughter|son|mother|father|mum|mom|dad|sister|brother|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|
  supervisor|contact|head|seller|buyer|flatmate|roommate|
  arzt|ärztin|zahn(?:arzt|ärztin)|hausarzt|hausärztin|lehrer(?:in)?|chef(?:in)?|vermieter(?:in)?|makler(?:in)?|ansprechpartner(?:in)?|nachbar(?:in)?|
  kolleg(?:e|in)|freund(?:in)?|tochter|sohn|mutter|vater|schwester|bruder|frau|mann|tante|onkel|hebamme|anwalt|anwältin|
  médic[oa]|dentista|profesora?|jef[ea]|vecin[oa]|amig[oa]|novi[oa]|mujer|marido|hij[oa]|madre|padre|herman[oa]|tí[oa]|abogad[oa]|caser[oa]|
  médecin|kiné|professeure?|patronn?e?|voisine?|amie?|femme|mari|fille|fils|mère|père|sœur|frère|tante|oncle|propriétaire|avocate?|
  medic[oa]|dottor\w+|professor\w*|cap[oa]|vicin[oa]|ragazz[oa]|moglie|marito|figli[oa]|sorella|fratello|zi[oa]|agente|avvocat[oa]|proprietari[oa]`

const ROLE = new RegExp(
  `(?<![\\p{L}])(?:(my|our|the|mein|meine|unser|unsere|der|die|mi|nuestr[oa]|el|la|mon|ma|notre|le|mio|mia|il|meu|minha|o|a) |l['’]|^)(?:(?:\\p{Ll}+ )?)(${ROLES})(?![\\p{L}])`,
  'giu',
)
const NAME = '\\p{Lu}\\p{L}+(?:[ -](?:(?:von|van|de|del|di|da|le|la|el) )?\\p{Lu}\\p{L}+)*'
const IS = "(?:is|['’]s|is called|is named|heißt|ist|se llama|es|s['’]appelle|est|si chiama|è|se chama|é)"
const TITLE = '(?:(?:la |el |le |il )?(?:Dr|Mr|Mrs|Ms|Herr|Frau|doctora?|docteure?|dottoress?a?)\\.? )?'
/** "The tuner is Agnes Baird", "my sister Ana": the words before the name. */
const BEFORE_NAME = new RegExp(
  `(?<!\\p{L})(?:${ROLES})(?:(?: \\p{L}[\\p{L}’'-]*){0,3}? ?${IS} ${TITLE}|,? )(?=\\p{L})`,
  'giu',
)
const FIRST_NAME = new RegExp(`^${NAME}`, 'u')
const NAMES = new RegExp(`(?<!\\p{L})${NAME}(?!\\p{L})`, 'gu')

export interface ReferenceOptions {
  /** The only person in the speaker's last message. */
  readonly before?: string | undefined
  /** Whether a name is known to be a person's. */
  readonly isPerson?: ((name: string) => boolean) | undefined
}

export function resolveReferences(
  sentences: readonly Sentence[],
  { before, isPerson = () => false }: ReferenceOptions,
): Resolved {
  const people = new Set<string>()
  let person = before
  const resolved = sentences.map((sentence) => {
    const text = replaceReference(sentence.text, person)
    const found = findPeople(text, isPerson)
    for (const one of found) people.add(one)
    person = found.at(-1) ?? person
    return { ...sentence, text, written: sentence.text }
  })
  const [only] = people
  if (people.size === 1 && only !== undefined) return { sentences: resolved, person: only }
  return { sentences: resolved }
}

/** Empty where a pronoun refers to nobody that was named. */
function replaceReference(text: string, person: string | undefined): string {
  const possessive = POSSESSIVE.exec(text)
  if (possessive !== null)
    return person === undefined ? '' : `${possessive[0]} (${person})${text.slice(possessive[0].length)}`
  const english = /^(?:his|her|their)(?= \p{L})/iu.exec(text)
  if (english !== null) return person === undefined ? '' : genitive(person) + text.slice(english[0].length)
  const subject = SUBJECT.exec(text) ?? /^(?:he|she)['’]s(?!\p{L})/iu.exec(text)
  if (subject === null || isBareChange(text, subject[0])) return text
  if (person === undefined) return ''
  return `${capitalize(person)}${text.slice(subject[0].length).replace(/^['’]s/u, ENGLISH.test(text) ? ' is' : '')}`
}

/** "He postponed, so the 11th" changes what was said before, and names nobody. */
const isBareChange = (text: string, pronoun: string): boolean =>
  announcesChange(text) && !/\p{Lu}/u.test(text.slice(pronoun.length))

const genitive = (person: string): string => `${capitalize(person)}${/s$/u.test(person) ? "'" : "'s"}`
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

interface Mention {
  readonly person: string
  readonly at: number
}

/** In the order in which they are mentioned. */
function findPeople(text: string, isPerson: (name: string) => boolean): string[] {
  const named = findNamed(text)
  const roles = named.length > 0 ? [] : [...text.matchAll(ROLE)].map(toRole)
  const names = [...text.matchAll(NAMES)]
    .filter(([name]) => isOfPerson(name, isPerson))
    .map(({ 0: person, index: at }) => ({ person, at }))
  return [...named, ...roles, ...names]
    .toSorted((one, other) => one.at - other.at)
    .map(({ person }) => person)
}

/** A name comes after the word for what the person is. */
const HAS_LATER_CAPITAL = /.\p{Lu}/su

/** People named by what they are. */
function findNamed(text: string): Mention[] {
  if (!HAS_LATER_CAPITAL.test(text)) return []
  return [...text.matchAll(BEFORE_NAME)].flatMap(({ 0: words, index }) => {
    const at = index + words.length
    const person = FIRST_NAME.exec(text.slice(at))?.[0]
    return person === undefined || isDateWord(person) ? [] : [{ person, at }]
  })
}

const INTRODUCES = new RegExp(IS, 'iu')

/** "The tuner is Agnes Baird": it says who somebody is. */
export const isIntroduction = (text: string): boolean => INTRODUCES.test(text) && findNamed(text).length > 0

const toRole = ({ 0: whole, 1: determiner, index: at }: RegExpExecArray): Mention => ({
  person: determiner === undefined && !/^l['’]/iu.test(whole) ? `the ${whole}` : whole,
  at,
})

const isOfPerson = (name: string, isPerson: (name: string) => boolean): boolean =>
  !isDateWord(name) && name.split(' ').some((word) => isPerson(word))
