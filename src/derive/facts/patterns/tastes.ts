import { multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { aThing, things } from '../text/read-value.ts'
import type { Pattern } from './pattern.ts'

// Likes, dislikes and preferences.

const taste = (rest: string): readonly string[] =>
  things(
    rest
      .replace(/^(?:(?:also|just|really|still|even|both) )+/i, '')
      .replace(/^(?:to (?:just )?(?=\w)|the (?=\w+$))/i, ''),
  ).filter(isLasting)
// "I love going to that new place" is about today; "I like to think that …" is not a preference.
const isLasting = (thing: string): boolean =>
  !/^(?:think|believe|say|see|hear|know|be|have|add|mention|point|hope|imagine|idea|ideas|thought|way|fact|look|sound|vibe|feeling|take|huge|big|total|massive|real|great|avid|such|when|where|working on|going over|taking a look)\b/i.test(
    thing,
  ) &&
  !/\b(?:idea|photo|picture|pic|advice|suggestion|tips|question|today|tonight|yesterday|last|next|tomorrow)\b/i.test(
    thing,
  )
const LIKE = '(?:love|loves|adore|adores|enjoy|enjoys|like|likes)'

export const TASTE_PATTERNS: readonly Pattern[] = [
  {
    cue: new RegExp(
      `^(?:do )?${LIKE} (?!(?:to be|to know|to hear|to see|to think|to believe|to say)\\b)`,
      'i',
    ),
    attribute: 'likes',
    value: taste,
    kind: 'preference',
    confidence: 0.8,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:am|is) (?:(?:a )?(?:big|huge|massive|total|real|great)? ?(?:fan) of|(?:really |super |big )?into|
      passionate about|fond of|crazy about|obsessed with|keen on|addicted to) `,
    attribute: 'likes',
    value: taste,
    kind: 'preference',
    confidence: 0.8,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:am|is) an? (?:(?:big|huge|massive|total|real|great|avid) )?([\w'-]+(?: [\w'-]+){0,2}) (?:fan|
      lover|enthusiast|junkie|nerd|buff)\b`,
    attribute: 'likes',
    value: (_, found) => taste(found[1] ?? ''),
    kind: 'preference',
    confidence: 0.75,
  },
  {
    cue: new RegExp(`^(?:do )?${LIKE} (?!to )`, 'i'),
    attribute: 'dislikes',
    value: taste,
    kind: 'preference',
    isNegative: true,
    confidence: 0.8,
  },
  {
    cue: /^(?:can )?(?:stand|bear|care for) (?=\w)/i,
    attribute: 'dislikes',
    value: taste,
    kind: 'preference',
    isNegative: true,
    confidence: 0.85,
  },
  {
    cue: /^(?:am|is) (?:(?:a )?(?:big|huge|real|great)? ?fan of|into|fond of|keen on) /i,
    attribute: 'dislikes',
    value: taste,
    kind: 'preference',
    isNegative: true,
    confidence: 0.8,
  },
  {
    cue: /^(?:hate|hates|dislike|dislikes|detest|loathe|despise) /i,
    attribute: 'dislikes',
    value: taste,
    kind: 'preference',
    confidence: 0.85,
  },
  {
    cue: /^(?:(?:much )?prefer|prefers|favou?r) /i,
    attribute: 'prefers',
    value: preference,
    kind: 'preference',
    confidence: 0.85,
  },
]

/** A preference includes its alternative and its time: "tea over coffee", "writing in the mornings". */
function preference(rest: string): readonly string[] {
  if (
    /^(?:it|this|that|these|those|not|the (?:second|first|latter|former|other)|option|one|what|if|when|how|your|his|her|their|yours|to (?:think|believe))\b/i.test(
      rest,
    )
  )
    return []
  const phrase = rest
    .replace(/\b(an? [\w-]+|^[\w-]+), ([\w-]+) (?=\w)/i, '$1 $2 ')
    .replace(/^to (?=\w)/, '')
    .replace(
      multilineRegExp('i')`
        ,? (?:so|because|since|but|as (?=I|it|they)|which|and (?=I|it|that|can|how)|can you|could you|how|
        due to|to (?:avoid|ensure|save|maximi[sz]e|fully|maintain|reduce|keep|make|improve|match)|
        considering|given|you know)\b.*$`,
      '',
    )
    .replace(/[.!?;:].*$|,.*$/s, '')
    .trim()
  const words = phrase.split(/\s+/)
  return words.length >= 1 && words.length <= 14 && phrase.length > 2 ? [phrase] : []
}

/** "My favourite book is …". */
export function readFavourite(
  thing: string,
  predicate: string,
): readonly [attribute: string, value: string] | undefined {
  const what =
    /^(?:(?:all[- ]time|absolute|current) )?favou?rite (?:(?:kind|type|sort) of )?((?:[\w'-]+ ){0,2}[\w'-]+)$/i.exec(
      thing,
    )?.[1]
  const said =
    /^(?:is|are|has always been|will always be) (?:probably |definitely |still |also |by far |actually )*/i.exec(
      predicate,
    )
  if (
    what === undefined ||
    said === null ||
    /^(?:part|thing|moment|memory|one|way|time|bit|aspect|spot|place|about)\b/i.test(what)
  )
    return undefined
  const rest = predicate.slice(said[0].length)
  const value = aThing(rest.replace(/^(?:the|a|an|to) /i, ''))[0]
  return value === undefined || /^(?:when|being|how|what|from|one|definitely|because)\b/i.test(value)
    ? undefined
    : [`favourite ${singular(what)}`, value]
}

const singular = (noun: string): string =>
  noun
    .toLowerCase()
    .replace(/(?<=[^s])s$/, '')
    .replace(/ie$/, (end) => (noun.toLowerCase().endsWith('movies') ? end : 'y'))

/** "… is my favourite book". */
export const IS_FAVOURITE: RegExp = multilineRegExp('u')`
    ^(?!(?:It|That|This|He|She|They|Which|There)\b)((?:the )?[\p{Lu}\p{N}][\p{L}\p{N}' :-]{1,50}?)(?: is|
    's) (?:definitely |still |by far |probably )?(?:my|our) (?:all[- ]time )?favou?rite (?!and\b|too\b|so\b|
    of\b|but\b|because\b|for\b|to\b|in\b|right\b|by\b|part\b|one\b|thing\b)([\w'-]+(?: (?!of\b|to\b|for\b|
    in\b|so\b|and\b|because\b|too\b)[\w'-]+)?)`

/** "… is one of my favourites". */
export const IS_ONE_FAVOURITE: RegExp = multilineRegExp('u')`
    ^(?!(?:It|That|This|He|She|They|Which|There|These|
    Those)\b)((?:the )?[\p{Lu}\p{N}][\p{L}\p{N}' :-]{1,50}?)(?: is|'s) (?:definitely |still |
    also )?one of (?:my|our) (?:all[- ]time )?favou?rite`
