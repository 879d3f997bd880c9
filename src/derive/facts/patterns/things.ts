import { alternatives, multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { aThing, toolNames } from '../text/read-value.ts'
import type { Pattern } from './pattern.ts'

// Things that somebody owns, uses, speaks, plays and learns.

const THINGS: Readonly<Record<string, string>> = {
  car: alternatives`
    car|truck|van|suv|pickup|camper van|minivan|convertible|hatchback|tesla|toyota|honda|ford|bmw|audi|
    prius|subaru|mazda|volvo|jeep|vw|volkswagen|skoda|renault|peugeot|fiat|kia|hyundai|nissan|mercedes`,
  bike: 'bike|bicycle|e-bike|motorbike|motorcycle|scooter|moped',
  phone: 'phone|iphone(?: \\w+){0,2}|pixel(?: \\w+){0,2}|galaxy(?: \\w+){0,2}|smartphone',
  computer: alternatives`
      laptop|macbook(?: \w+){0,2}|computer|pc|gaming pc|desktop|ipad(?: \w+){0,2}|tablet|thinkpad|
      chromebook|imac|kindle`,
  home: 'house|flat|apartment|condo|cottage|cabin|farm',
  owns: alternatives`
    boat|kayak|guitar|piano|violin|drum set|keyboard|camera|telescope|3d printer|sewing machine|playstation|
    xbox|switch|console|drone|tent|surfboard|snowboard|espresso machine|air fryer|allotment|garden|
    dishwasher|printer`,
}
const ALL = Object.values(THINGS).join('|')
const LANGUAGES = alternatives`
    english|french|german|spanish|portuguese|italian|dutch|danish|swedish|norwegian|finnish|polish|czech|
    hungarian|romanian|greek|turkish|russian|ukrainian|arabic|hebrew|hindi|urdu|bengali|tamil|mandarin|
    cantonese|chinese|japanese|korean|vietnamese|thai|indonesian|swahili|catalan|welsh|irish|latin|
    sign language`
const PLAYED = alternatives`
    guitar|piano|violin|cello|drums|flute|clarinet|saxophone|trumpet|bass|ukulele|harp|keyboard|tennis|
    football|soccer|basketball|volleyball|chess|rugby|cricket|hockey|golf|squash|badminton|table tennis|
    baseball|handball|padel|poker|dungeons and dragons|d&d`

const thingClass = (found: RegExpExecArray): string => {
  const thing = found.at(-1)?.toLowerCase() ?? ''
  const name =
    Object.keys(THINGS).find((key) => new RegExp(`^(?:${THINGS[key]})$`, 'i').test(thing)) ?? 'owns'
  return name === 'home' ? 'owns' : name
}
const described = (rest: string, found: RegExpExecArray): readonly string[] =>
  // "I have a white van for you" is an offer.
  /\byou\b/i.test(rest)
    ? []
    : [
        `${found[1] ?? ''}${found[2] ?? ''}`
          .replace(/^(?:(?:brand[- ])?new|used|second-hand|my|own) /i, '')
          .trim(),
      ]
const languages = (rest: string, found: RegExpExecArray): readonly string[] =>
  [
    ...`${found[1] ?? ''}${rest.replace(/[.;].*$/s, '').replace(/\b(?:but|because|so|when|with)\b.*$/i, '')}`.matchAll(
      new RegExp(`\\b(${LANGUAGES})\\b`, 'gi'),
    ),
  ].map(([word]) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
const lower = (_: string, found: RegExpExecArray): readonly string[] => [(found[1] ?? '').toLowerCase()]

export const THING_PATTERNS: readonly Pattern[] = [
  {
    cue: /^(?:have |has )?(?:switched|migrated|moved) from [\p{L}\p{N}.+# ]{2,30}? to (?=\p{Lu})/u,
    attribute: 'uses',
    value: (rest, found) => (found[0].includes('moved') ? [] : toolNames(rest).slice(0, 1)),
  },
  {
    cue: multilineRegExp('i')`
      ^(?:own|owns|have|has|have got|bought|just bought|recently bought|have bought|got|drive|drives|
      ride) (?:an?|my own|our own) ((?:(?!with |of |for |to |in |at |on |that |named |
      called )[\w.-]+ ){0,3}?)(${ALL})\b(?! (?:accident|crash|trouble|problem|payment|loan|insurance|rental|
      tour|show|game|lesson|lessons|call|number|plan|case|guy|party|repair|warming|sitter|key|keys|in mind))`,
    attribute: thingClass,
    value: described,
    confidence: 0.8,
  },
  {
    of: 'self',
    cue: multilineRegExp('i')`
      ^(?:have |has )?(?:just |recently )?(?:sold|gave away|got rid of|scrapped|crashed and sold) (?:the|my|
      our) (?:old |[A-Z]\w+ )?(${ALL})\b`,
    attribute: thingClass,
    value: lower,
    ends: true,
  },
  {
    cue: multilineRegExp('u')`
      ^(?:do |does )?(?:use|uses|am using|is using|are using|have been using|switched to|have switched to|
      am on|code in|codes in|program in|develop in|work with|am working with|am running|run) (?=(?:the |
      my )?(?:\p{Lu}|\p{Ll}+\p{Lu}))`,
    attribute: 'uses',
    value: toolNames,
    denial: 'end',
    confidence: 0.8,
  },
  {
    cue: multilineRegExp('u')`
      ^(?:have |has )?(?:stopped using|switched (?:away )?from|moved away from|ditched|uninstalled|
      dropped) (?=\p{Lu})`,
    attribute: 'uses',
    value: toolNames,
    ends: true,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:(?:can )?(?:speak|speaks)|am fluent in|is fluent in|am a native|am native in) (?:fluent |some |
      a (?:bit|little) (?:of )?|both )?((?:${LANGUAGES})\b)`,
    attribute: 'speaks',
    value: languages,
    confidence: 0.9,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:am|is|have been|started|have started|began|has been) learning (?:to speak |
      some )?((?:${LANGUAGES})\b)`,
    attribute: 'learns',
    value: languages,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:am|is|have been|started|have started|began|
      has been) learning (?:how )?(?:to play )?(?:the )?(${PLAYED})\b`,
    attribute: 'learns',
    value: lower,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:play|plays|have been playing|has been playing|started playing|have started playing) (?:the |some |
      acoustic |electric |classical )?(${PLAYED})\b(?! (?:as a kid|when|yesterday|last))`,
    attribute: 'plays',
    value: lower,
    denial: 'end',
  },
]

/** "My car is a …", "my phone is an …". */
export function readOwnThing(
  thing: string,
  predicate: string,
): readonly [attribute: string, value: string] | undefined {
  const attribute = /^(?:current |new )?(car|bike|phone|laptop|computer)$/i.exec(thing)?.[1]?.toLowerCase()
  const said = /^is an? (?=(?:\w+ )?[\p{Lu}\d])/u.exec(predicate)
  const value = said === null ? undefined : aThing(predicate.slice(said[0].length))[0]
  return attribute === undefined || value === undefined
    ? undefined
    : [attribute === 'laptop' ? 'computer' : attribute, value]
}
