// Removes parts of a sentence without changing its meaning: openers ("well", "you know"), the name of the
// addressee, and a tag at the end ("isn't it?").

import { toSingleSpaces } from '../../single-spaces.ts'

const OPENERS =
  `oh|well|ah|aha|uh|um|er|hmm|mm|hey|hi|hello|yeah|yes|yep|yup|no|nope|ok|okay|aright|alright|all right|right
  |sure|of course|certainly|absolutely|definitely|exactly|so|and|but|then|now|anyway|actually|you know|you see|i mean
  |i see|look|listen|see|great|good|fine|wow|really|honey|dear|darling|sweetheart|sir|madam|ma'am|doctor|miss|gosh|man
  |my god|oh my god|god|please|excuse me|pardon me|sorry|i'm sorry|thanks|thank you|by the way|in fact|as a matter of fact
  |to be honest|to tell you the truth|frankly|honestly|believe it or not|as you know|good morning|good afternoon
  |good evening|hurry up|come on|c'mon|wait a minute|let me see|i'm afraid|i'm afraid that|not really|not at all|true
  |that's right|that's true|i know|i agree|no problem|no way|what|why|yes please|in that case|first of all|however|additionally|also|finally|first|meanwhile|unfortunately|luckily|instead|therefore|long time no see|mom|dad|mum|let's see|not to worry|waiter|waitress|guys|here`.replace(
    /\s*\n\s*/g,
    '',
  )

const OPENER = new RegExp(`^(?:${OPENERS})\\s*(?:,|\\.\\.\\.|…|!|;|--|—|–)+\\s*`, 'i')
/** Openers that need no comma. */
const BARE_OPENER =
  /^(?:oh|well|and|but|or|so|then|okay|ok|yeah|hey|i'm afraid(?: that)?|i mean)\s+(?!far\b|that\b|much\b|many\b)/i
const ADDRESS_WORDS =
  "sir|madam|ma'am|honey|dear|darling|doctor|man|buddy|guys|miss|mom|dad|boss|please|then|you know|though"
const CLOSING_ADDRESS = new RegExp(`,\\s*(?:${ADDRESS_WORDS})\\s*(?=[.!?]*$)`, 'i')
const CLOSING_NAME =
  /(?<=[\p{Ll}\d]),\s+(?!(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+)?\p{Lu}\p{Ll}+\s*(?=[.!?]*$)/u
const OPENING_NAME =
  /^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+\p{Lu}\p{Ll}+|(?!Today|Tonight|Tomorrow|Yesterday|Maybe|Perhaps|Sometimes|First|Second|Third|Later|Once|However|Besides|Still|Otherwise|Instead|Also|Or|If)\p{Lu}\p{Ll}*(?<!ly)),\s+(?=(?:I|you|we|it|this|that|they|he|she|what|where|when|why|how|who|which|can|could|would|will|do|does|did|are|is|was|have|has|let|please|the|my|your|there|those|these|thanks|thank|nice|don't|don’t|I'm|I’m|it's|it’s|that's|that’s)\b)/u
const TAG =
  /,\s*(?:right|okay|ok|huh|eh|(?:is|are|do|does|did|was|were|has|have|had|can|could|will|would|should|wo)(?:n't)? (?:it|you|he|she|they|we|I|there|that))\s*[?.!]$/i

const SLANG: Readonly<Record<string, string>> = { wan: 'want to', gon: 'going to', got: 'have to' }

const HAS_APOSTROPHE = /['’‘`]/
const HAS_LOOSE_MARK = / [,.;:!?]/

/** The sentence with typing errors repaired and these parts removed. */
export function cleanSentence(raw: string): string {
  return trimEnd(trimStart(repair(raw)))
}

/** Transcripts write "I ' Ve" and "haven ' t"; writers use both apostrophes. */
function repair(raw: string): string {
  const spelt = repairApostrophes(raw).replace(
    /\b(wan|gon|got)(?:na|ta)\b/gi,
    (_, start: string) => SLANG[start.toLowerCase()] ?? start,
  )
  const spaced = toSingleSpaces(spelt)
  // Tests first: most sentences need no repair, and a test is much cheaper.
  return (HAS_LOOSE_MARK.test(spaced) ? spaced.replaceAll(/ (?=[,.;:!?](?:\s|$))/g, '') : spaced).trim()
}

function repairApostrophes(raw: string): string {
  if (!HAS_APOSTROPHE.test(raw)) return raw
  return raw
    .replaceAll(/[’‘`]/g, "'")
    .replaceAll(/(?<=\p{L})\s*'\s*(ve|t|s|re|m|ll|d)\b/giu, (_, ending: string) => `'${ending.toLowerCase()}`)
}

function trimStart(sentence: string): string {
  let rest = sentence
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(OPENER, '').replace(BARE_OPENER, '').replace(OPENING_NAME, '')
  }
  return rest
}

function trimEnd(sentence: string): string {
  if (!sentence.includes(',')) return sentence
  const untagged = sentence.replace(TAG, '.')
  return untagged.replace(CLOSING_ADDRESS, '').replace(CLOSING_NAME, '')
}
