import { alternatives, multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { anOwnName, aPersonName, aPlace } from '../text/read-value.ts'
import { ANIMAL_WORDS, relationAttribute } from '../text/relations.ts'
import type { Pattern } from './pattern.ts'

// Personal details: name, age, birthday, origin, family, pets, marital status.

/** "I'm German" is not a name. */
const PEOPLES = multilineRegExp('i')`
    (?:ese|ish|ian|ican|wegian|german|french|dutch|greek|swiss|czech|thai|catholic|christian|muslim|jewish|
    hindu|gay|trans|ok|so|not|sure|glad|sorry)$`

const NUMBER_WORDS = 'one two three four five six seven eight nine ten'.split(' ')
const countOf = (word: string): string => {
  const place = NUMBER_WORDS.indexOf(word.toLowerCase())
  return place < 0 ? word : String(place + 1)
}
const animal = (_: string, found: RegExpExecArray): readonly string[] => [(found[1] ?? '').toLowerCase()]
const namedAnimal = (rest: string, found: RegExpExecArray): readonly string[] =>
  aPersonName(rest).map((name) => `${name} (${(found[1] ?? '').toLowerCase()})`)
const age = (_: string, found: RegExpExecArray): readonly string[] => {
  const years = Number(found[1])
  return years >= 1 && years <= 110 ? [String(years)] : []
}
/** What may follow a bare number that is an age: "I'm 28", but not "I'm 28 minutes late". */
const AFTER_AGE = alternatives`
  (?=$|[,!)]|\.(?!\d)| (?:and|but|now|today|years? old|yo|y\/o|so|with|from|living|next|this|already|
  turning)\b)`

export const PEOPLE_PATTERNS: readonly Pattern[] = [
  { cue: new RegExp(`^(?:am|is) (?:aged )?(\\d{1,3})${AFTER_AGE}`, 'i'), attribute: 'age', value: age },
  { cue: /^(?:am|is) (?:a |an )?(\d{1,3})[- ]years?[- ]old\b/i, attribute: 'age', value: age },
  { cue: /^(?:just |recently )?turned (\d{2})\b/i, attribute: 'age', value: age },
  {
    of: 'self',
    cue: /^am (?=\p{Lu}\p{Ll}+(?:$|,| (?:from|and (?:I|i|we|my)\b|by the way|btw|\p{Lu}\p{Ll}+$)))/u,
    attribute: 'name',
    value: (rest) => aPersonName(rest).filter((name) => !PEOPLES.test(name)),
    confidence: 0.8,
  },
  { of: 'self', cue: /^am called /i, attribute: 'name', value: aPersonName, confidence: 0.8 },
  { of: 'self', cue: /^go by /i, attribute: 'called', value: aPersonName, kind: 'instruction' },
  {
    cue: multilineRegExp('i')`
      ^(?:grew up|was born|was raised|was born and raised|were born|am originally|is originally|come|comes|
      am|is) (?:(?:and raised )?in|from) (?:the )?`,
    attribute: 'origin',
    value: origin,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:(?:have|has) been |am |is )?(?:happily )?(married|engaged|divorced|widowed)\b(?! (?:with|
      in (?:the|a|my)|by|about|to the)\b)`,
    attribute: 'relationship status',
    value: status,
    denial: 'end',
  },
  {
    cue: /^(?:am|is) (?:now )?(single)(?=$|[,.!]| (?:and|again|now|since|these)\b)/i,
    attribute: 'relationship status',
    value: status,
  },
  {
    cue: /^(?:just |recently )?got (married|engaged|divorced)\b/i,
    attribute: 'relationship status',
    value: status,
  },
  {
    of: 'self',
    cue: /^have (?:got )?(\d|one|two|three|four|five|six|seven|eight) (?:\w+ )?(?:kids|children)\b/i,
    attribute: 'children',
    value: (_, found) => [countOf(found[1] ?? '')],
  },
  {
    of: 'self',
    cue: multilineRegExp('i')`
      ^have (?:got )?(?:a|an|one|two|three|four|five|\d) (?:(?:little|older|younger|big|twin|elder|baby|
      teenage|adult|grown|beautiful|\w+-year-old|\w+-month-old|\d+) ){0,2}(?:sister|brother|son|daughter|
      niece|nephew|grandson|granddaughter|twin|grandchild)(?:s|ren)?\b`,
    attribute: 'family',
    value: (_, found) => [found[0].replace(/^have (?:got )?/i, '').toLowerCase()],
  },
  {
    cue: multilineRegExp('i')`
      ^(?:have|has|have got|got|adopted|bought|rescued|own|have adopted|just adopted|recently adopted) (?:a|
      an|my|our|one) (?:[\w-]+ ){0,3}?(${ANIMAL_WORDS})(?:,)? (?:named|called|whose name is) `,
    attribute: 'pet',
    value: namedAnimal,
  },
  {
    of: 'self',
    cue: multilineRegExp('i')`
      ^(?:have|have got|got|adopted|have adopted|own|rescued) (?:a|an|one|my first) (?:(?:pet|new|small|
      little|big|old|young|rescue|\w+-year-old|black|white|brown|golden|german|stray|
      second) ){0,2}(${ANIMAL_WORDS})\b(?! (?:named|called|park|food|show|walker|sitter|toy|bed|friend|
      person|shelter|in mind|walking|sitting|grooming|training|boarding|breeding|rescue))`,
    attribute: 'pet',
    value: animal,
    confidence: 0.75,
  },
]

function origin(rest: string, found: RegExpExecArray): readonly string[] {
  // "I am in Lisbon" is not an origin.
  if (/^(?:am|is)\b(?! originally).* in /i.test(found[0])) return []
  return aPlace(rest)
}

function status(_: string, found: RegExpExecArray): readonly string[] {
  return [(found[1] ?? '').toLowerCase()]
}

/** "My name is …", "my dog's name is …", "my wife's birthday is …". */
export function readOwnName(
  thing: string,
  predicate: string,
): readonly [attribute: string, value: string] | undefined {
  const said = /^(?:is|was) (?:actually |called )?/i.exec(predicate)
  const named = /^(?:is|was) (?:called|named) |^(?:called|named) /i.exec(predicate)
  if (thing === 'name' || thing === 'first name' || thing === 'full name' || thing === 'real name') {
    const name = said === null ? undefined : anOwnName(predicate.slice(said[0].length))[0]
    return name === undefined ? undefined : ['name', name]
  }
  const isName = thing.endsWith(' name')
  const cue = isName ? said : named
  const name = cue === null ? undefined : aPersonName(predicate.slice(cue[0].length))[0]
  const relation = thing.replace(/(?:'s)? name$/, '').replace(/^(?:\w+ )*?(?=\w+$)/, '')
  if (name === undefined || !RELATED.test(relation)) return undefined
  const attribute = relationAttribute(relation)
  return [attribute, attribute === 'pet' ? `${name} (${relation})` : name]
}

const RELATED = new RegExp(
  `^(?:${ANIMAL_WORDS}|wife|husband|partner|girlfriend|boyfriend|mother|father|mom|mum|dad|sister|brother|son|daughter|boss|manager|niece|nephew|cousin|friend|roommate|flatmate)$`,
)
