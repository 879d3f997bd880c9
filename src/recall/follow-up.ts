// Follow-ups, without a model: whether a question needs the turns before it, and what it needs from them. "And the second
// one?" says little by itself. Words of the last turns weigh by how recent they are, more where both sides used them and
// more for names; an ordinal picks the item of the last list or table and the name that most turns have is added
// at the end. Works by function words of English, German, Spanish, French, Portuguese and Italian.

import { alternatives } from '../domain/multiline-regexp.ts'
import { isSubjectWord, isTelling } from '../domain/subject-words.ts'
import { findWords } from '../domain/words.ts'

export interface EarlierTurn {
  readonly text: string
  readonly isPerson: boolean
}

const MAX_CARRIED = 8
/** A longer question says what it is about. */
const MAX_WORDS = 14
const MAX_TURN_CHARACTERS = 1500
/** Turns that are looked through for the main name of a conversation. */
const NAME_TURNS = 30
/** By how many turns back: the reply that a question follows, and the question before that, count most. */
const RECENCY: readonly number[] = [2.4, 2.6, 0.9, 1, 0.5, 0.6, 0.4, 0.4]
/** A question and the reply to it. */
const EXCHANGE = 2
/** What a further occurrence counts: the last turns decide, not what was repeated before them. */
const REPEATED = 0.25
/** A word with less than this share of the best word's score is left out. */
const MIN_SHARE = 0.25

const anywhere = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')
const atStart = (source: string): RegExp =>
  new RegExp(`^[^\\p{L}\\p{N}]*(?:${source})(?![\\p{L}\\p{N}])`, 'iu')

const CONNECTED = atStart(alternatives`
  and|but|also|so|then|ok|okay|what about|how about|same|what else|anything else|which ones?|only|now|or|no|not|why|until when|
  und|aber|oder|dann|also|nein|auch|sonst|warum|
  y|pero|o|entonces|también|no|por qué|et|mais|ou|alors|donc|non|pourquoi|
  e|mas|ou|então|também|não|por quê|ma|o|allora|quindi|anche|no|perché`)
const POINTING = anywhere(alternatives`
  it|its|that|this|those|these|they|them|their|he|him|his|she|her|there|then|one|ones|former|latter|same|both|
  er|sie|es|ihn|ihm|ihr|das|dem|denen|davon|damit|dafür|dort|dann|
  él|ella|ello|eso|esto|esa|ese|lo|los|las|les|ellos|ellas|allí|
  il|elle|ça|cela|ceci|lui|leur|eux|celui|celle|là|
  ele|ela|eles|elas|isso|isto|disso|dele|dela|ali|
  lui|lei|loro|esso|ciò|quello|quella|questo|questa|ci|lì`)
const ORDINALS: readonly (readonly [ordinal: RegExp, index: number])[] = [
  [anywhere('first|1st|erste[rsnm]?|primer[oa]?|premi(?:er|ère)|primeir[oa]|prim[oa]'), 0],
  [anywhere('second|2nd|zweite[rsnm]?|segund[oa]|deuxième|second[oa]'), 1],
  [anywhere('third|3rd|dritte[rsnm]?|tercer[oa]?|troisième|terceir[oa]|terz[oa]'), 2],
  [anywhere('fourth|4th|vierte[rsnm]?|cuart[oa]|quatrième|quart[oa]'), 3],
  [anywhere('last|letzte[rsnm]?|últim[oa]|derni(?:er|ère)|ultim[oa]'), -1],
]
const COMMAND = atStart(alternatives`
  show|give|tell|add|sort|export|compare|make|put|remove|list|draw|plot|zeig\\w*|gib|mach\\w*|sortier\\w*|vergleich\\w*|
  muestra|dame|haz|ordena|compara|añade|montre|donne|fais|trie|compare|ajoute|mostra|dá|faz|ordena|compara|dammi|fai|
  confronta|aggiungi`)
/** Without a word of this kind, "Hm?" and "thanks" ask for nothing. */
const ASKING = anywhere(alternatives`
  who|whose|what|which|when|where|why|how|wer|was|welche\\w*|wann|wo|warum|wie|quién|qué|cuál\\w*|cuándo|dónde|cómo|cuánto|
  qui|quoi|quel\\w*|quand|où|comment|combien|quem|quê|qual|quais|quando|onde|como|quanto|chi|che|cosa|quale|dove|come`)
const CUES: readonly RegExp[] = [CONNECTED, POINTING, COMMAND, ...ORDINALS.map(([ordinal]) => ordinal)]
const NAMED = /(?<=[\p{L}\p{N},;:]\s)\p{Lu}\p{L}{2,}/u

/** Whether a question needs earlier turns to be understood. */
export function isFollowUp(question: string): boolean {
  const specific = specificWords(question).length
  if (specific === 0) return ASKING.test(question) || CUES.some((cue) => cue.test(question))
  const words = findWords(question).length
  if (words > MAX_WORDS) return false
  const isNamed = NAMED.test(question)
  if (CONNECTED.test(question)) return specific <= (isNamed ? 2 : 4)
  if (POINTING.test(question)) return specific <= (isNamed ? 1 : 2)
  if (isNamed) return false
  if (ORDINALS.some(([ordinal]) => ordinal.test(question))) return specific <= 3
  return COMMAND.test(question) && specific <= 1
}

function specificWords(text: string): readonly string[] {
  return [...new Set(findWords(text.slice(0, 2000)).map(({ word }) => word))].filter(isTelling)
}

/** Words and list items of the turns that a question follows, the most likely first, as they were written. */
export function carryOver(question: string, turns: readonly EarlierTurn[]): readonly string[] {
  const known = new Set(findWords(question).map(({ word }) => word))
  const item = findItem(question, turns)
  const name = findMainName(turns, known)
  const words = rankWords(turns, known).slice(0, MAX_CARRIED)
  return [...new Set([item, ...words, name].filter((text) => text !== undefined))]
}

interface ScoredWord {
  readonly text: string
  readonly score: number
  readonly isOfPeople: boolean
  readonly isOfReplies: boolean
}

function rankWords(turns: readonly EarlierTurn[], known: ReadonlySet<string>): readonly string[] {
  const scores = new Map<string, ScoredWord>()
  const isSelfContained = turns
    .slice(-EXCHANGE)
    .some(({ text, isPerson }) => isPerson && !isFollowUp(text) && specificWords(text).length > 1)
  for (const [i, turn] of turns.slice(-RECENCY.length).toReversed().entries()) {
    // Where the last exchange says what it is about, earlier turns only bring names.
    const isNamesOnly = i >= EXCHANGE && isSelfContained
    for (const token of tokensOf(turn)) {
      if (known.has(token.word) || (isNamesOnly && !token.isName && !scores.has(token.word))) continue
      scores.set(token.word, addScore(scores.get(token.word), token, { turn, i }))
    }
  }
  const scoreOf = ({ score, isOfPeople, isOfReplies }: ScoredWord) =>
    isOfPeople && isOfReplies ? score * 1.5 : score
  const ranked = [...scores.values()].sort((one, other) => scoreOf(other) - scoreOf(one))
  const [best] = ranked
  const least = best === undefined ? 0 : scoreOf(best) * MIN_SHARE
  return ranked.filter((word) => scoreOf(word) >= least).map(({ text }) => text)
}

function addScore(
  before: ScoredWord | undefined,
  { text, isName, index }: TurnToken,
  { turn: { isPerson }, i }: { readonly turn: EarlierTurn; readonly i: number },
): ScoredWord {
  // A long reply says what it is about at its start.
  const weight = (RECENCY[i] ?? 0) * (index < 40 ? 1 : 0.6) * (isName ? 1.7 : 1) * (isPerson ? 1.2 : 1)
  const said = before?.score ?? 0
  return {
    text: before?.text ?? text,
    score: Math.max(said, weight) + REPEATED * Math.min(said, weight),
    isOfPeople: isPerson || before?.isOfPeople === true,
    isOfReplies: !isPerson || before?.isOfReplies === true,
  }
}

interface TurnToken {
  readonly word: string
  readonly text: string
  readonly isName: boolean
  readonly index: number
}

/** Several names in a row are one. */
const TOKEN = /\p{Lu}[\p{L}'’]+(?: \p{Lu}[\p{Ll}'’]\p{L}+)+|[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu
const SENTENCE_START = /(?:^|[.!?:\n|*-]\s*)$/u

/** The subject words of a turn, each once. */
function tokensOf({ text }: EarlierTurn): readonly TurnToken[] {
  const tokens: TurnToken[] = []
  const seen = new Set<string>()
  const read = text.slice(0, MAX_TURN_CHARACTERS)
  for (const match of read.matchAll(TOKEN)) {
    const written = match[0].replace(/['’]s$|['’-]+$/u, '')
    const word = findWords(written)[0]?.word ?? ''
    if (seen.has(word) || !isSubjectWord(word)) continue
    seen.add(word)
    const isStart = SENTENCE_START.test(read.slice(Math.max(0, match.index - 3), match.index))
    tokens.push({ word, text: written, isName: /^\p{Lu}/u.test(written) && !isStart, index: tokens.length })
  }
  return tokens
}

/** "the second one": of the last list, table or enumeration. */
function findItem(question: string, turns: readonly EarlierTurn[]): string | undefined {
  const index = ORDINALS.find(([ordinal]) => ordinal.test(question))?.[1]
  if (index === undefined) return undefined
  const lists = turns.slice(-4).map(({ text }) => readList(text.slice(0, MAX_TURN_CHARACTERS)))
  return lists
    .findLast(({ length }) => length > 1)
    ?.at(index)
    ?.slice(0, 60)
}

function readList(text: string): readonly string[] {
  const lines = text.split('\n')
  const listed = lines.flatMap((line) => /^\s*(?:\d+[.)]|[-*•])\s+(.+)$/u.exec(line)?.[1] ?? [])
  if (listed.length > 1) return listed.map(toItem)
  const rows = lines.filter((line) => /^\s*\|/u.test(line) && !/^\s*\|[\s:|-]+$/u.test(line)).slice(1)
  if (rows.length > 1) return rows.map((row) => toItem(row.split('|')[1] ?? ''))
  return [...text.matchAll(/\((?:\d|[a-c])\)\s*([^()]+)/gu)].map(([, item = '']) => toItem(item))
}

const toItem = (item: string): string =>
  item
    .replace(/[*_`]/gu, '')
    .split(/[:.;(]/u)[0]
    ?.trim() ?? ''

/** The name that most turns have. */
function findMainName(turns: readonly EarlierTurn[], known: ReadonlySet<string>): string | undefined {
  const counts = new Map<string, number>()
  for (const turn of turns.slice(-NAME_TURNS))
    for (const { word, text, isName } of tokensOf(turn))
      if (isName && !known.has(word)) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [best] = [...counts].sort(([, one], [, other]) => other - one)
  return best !== undefined && best[1] > 1 ? best[0] : undefined
}
