// Finds what turns are about, as noun phrases: runs of up to three content words that follow a word that
// introduces nouns ("the", "my", "about", "three") or are written like a name. A phrase is weighted by its words,
// and a word by how often it occurs.

import { contentWords, isEmptyWord } from './content-words.ts'
import type { ReadTurn } from './read-turns.ts'
import { isBaseVerb, isPast } from './report/english-verbs.ts'
import { DETERMINERS, NOUN_VERBS, PREPOSITIONS } from './report/word-lists.ts'

interface TopicSearch {
  /** Weighs a content word. */
  readonly weightOf: (word: string) => number
  /** The topics so far, the highest weight first. */
  readonly previous: readonly string[]
  readonly limit: number
}

interface Phrase {
  readonly phrase: string
  readonly words: readonly string[]
  readonly weight: number
}

const LONGEST_PHRASE = 3
const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}+#/_-]*(?:['’]\p{L}+)?|[^\s]/gu

/** At most `limit` phrases, the highest weight first. Old and new ones alternate. */
export function findKeyTopics(
  turns: readonly ReadTurn[],
  { weightOf, previous, limit }: TopicSearch,
): string[] {
  const phrases = new Map<string, Phrase>()
  const speakers = new Set(turns.flatMap(({ voices }) => contentWords(voices.speaker)))
  for (const { prose } of turns) {
    for (const phrase of findPhrases(prose)) addPhrase(phrases, phrase, weightOf)
  }
  for (const [key, { words }] of phrases) if (words.some((word) => speakers.has(word))) phrases.delete(key)
  const fresh = [...phrases.values()].sort((a, b) => b.weight - a.weight)
  const old = previous.map((phrase) => ({ phrase, words: contentWords(phrase), weight: 0 }))
  return dropCovered(takeTurns(old, fresh), limit)
}

/** Every occurrence of a phrase adds its weight, each less than the one before. */
function addPhrase(
  phrases: Map<string, Phrase>,
  { phrase, words }: Omit<Phrase, 'weight'>,
  weightOf: (word: string) => number,
): void {
  const key = words.join(' ')
  const known = phrases.get(key)
  const mean = words.reduce((sum, word) => sum + weightOf(word), 0) / Math.sqrt(words.length)
  phrases.set(key, { phrase: known?.phrase ?? phrase, words, weight: Math.hypot(known?.weight ?? 0, mean) })
}

function takeTurns(old: readonly Phrase[], fresh: readonly Phrase[]): Phrase[] {
  const phrases: Phrase[] = []
  for (let place = 0; place < Math.max(old.length, fresh.length); place++) {
    for (const phrase of [old[place], fresh[place]]) if (phrase !== undefined) phrases.push(phrase)
  }
  return phrases
}

/** Drops phrases that share a word with one of higher weight. */
function dropCovered(ranked: readonly Phrase[], limit: number): string[] {
  const covered = new Set<string>()
  const kept: string[] = []
  for (const { phrase, words } of ranked) {
    if (kept.length === limit) break
    if (words.some((word) => covered.has(word))) continue
    for (const word of words) covered.add(word)
    kept.push(phrase)
  }
  return kept
}

function findPhrases(text: string): Omit<Phrase, 'weight'>[] {
  const phrases: Omit<Phrase, 'weight'>[] = []
  let run: string[] = []
  let before = '.'
  for (const word of text.match(WORD) ?? []) {
    if (isPhraseWord(word)) run.push(word)
    else {
      if (run.length > 0) phrases.push(...toPhrase(run, before))
      before = word.toLowerCase()
      run = []
    }
  }
  return [...phrases, ...toPhrase(run, before)]
}

function isPhraseWord(word: string): boolean {
  const folded = word.toLowerCase()
  if (isEmptyWord(folded) || !/^[\p{L}\p{N}]/u.test(word) || /['’]/.test(word)) return false
  return /^\p{Lu}/u.test(word) || !(/(?:ly|ing)$/.test(folded) || isVerbOnly(folded) || isPast(folded))
}

function isVerbOnly(folded: string): boolean {
  return isBaseVerb(folded) && !NOUN_VERBS.has(folded)
}

function toPhrase(run: readonly string[], before: string): Omit<Phrase, 'weight'>[] {
  const phrase = run.slice(-LONGEST_PHRASE).join(' ')
  if (phrase.length < 3 || !/\p{L}/u.test(phrase) || !isNoun(phrase, before)) return []
  const words = contentWords(phrase)
  return words.length === 0 ? [] : [{ phrase, words }]
}

/** Whether a phrase is in the position of a noun, or is written like a name. */
function isNoun(phrase: string, before: string): boolean {
  // A capital at the start of a sentence proves nothing.
  const isName = /^\p{Lu}/u.test(phrase) && !/[.!?]/.test(before)
  const followsNounSign =
    (DETERMINERS.has(before) && before !== 'that') ||
    (PREPOSITIONS.has(before) && before !== 'to') ||
    /\d/.test(before)
  return isName || followsNounSign || /\p{Lo}/u.test(phrase)
}
