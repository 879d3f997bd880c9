// People and animals that are named in passing: "my sister Ana", "our dog Rex". Such a name is presupposed, so it
// counts even in a question.

import { multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { matchAll } from '../../../domain/words.ts'
import { personNames } from '../text/read-value.ts'
import { ANIMAL_WORDS, PERSON_PLURALS, PERSON_WORDS, relationAttribute } from '../text/relations.ts'

/** A named person or animal of the speaker. */
export interface Mention {
  readonly attribute: string
  readonly value: string
  readonly name: string
}

const MENTION = multilineRegExp('gu')`
  \b(?:[Mm]y|[Oo]ur)( ex-?)? ?(?:(?:older|younger|little|big|elder|twin|eldest|youngest|oldest|new|good|
  close|best|old|dear|sweet|late|beloved|\d+-year-old) )*(${PERSON_PLURALS}|${PERSON_WORDS}|
  (?:[\w-]+ )?(?:${ANIMAL_WORDS})s?)(,)? (?=\p{Lu})`

const PLURAL = new RegExp(`^(?:${PERSON_PLURALS}|.*(?:${ANIMAL_WORDS})s)$`)

/** The people and animals that a sentence names as the speaker's. `others` are participants of the chat. */
export function readMentions(sentence: string, others: readonly string[]): Mention[] {
  const mentions: Mention[] = []
  for (const found of matchAll(sentence, MENTION)) {
    const rest = sentence.slice(found.index + found[0].length)
    const names = personNames(rest)
    const isPlural = PLURAL.test(found[2] ?? '')
    const taken = isPlural ? names : names.slice(0, 1)
    const isApposition = found[3] === undefined || isEnclosed(rest, taken)
    if (found[1] !== undefined || !isApposition || (isPlural && names.length < 2)) continue
    mentions.push(
      ...taken.filter((name) => !others.includes(name)).map((name) => toMention(found[2] ?? '', name)),
    )
  }
  return mentions
}

// "my sister, Ana, lives in …" names her; in "say hi to my sister, Ana!" Ana may be the one addressed.
function isEnclosed(rest: string, names: readonly string[]): boolean {
  const last = names.at(-1)
  return (
    last !== undefined &&
    /^, (?:who|and|is|was|has|lives|works|said|told|on|recently|for|at|[a-z])/.test(
      rest.slice(rest.indexOf(last) + last.length),
    )
  )
}

function toMention(relation: string, name: string): Mention {
  const word = relation
    .toLowerCase()
    .replace(/^(?:[\w-]+ )(?=(?:dog|cat|puppy|kitten)s?$)/, '')
    .replace(/(?<=dog|cat|puppy|parrot|rabbit)s$/, '')
  const attribute = relationAttribute(word)
  return { attribute, value: attribute === 'pet' ? `${name} (${word})` : name, name }
}
