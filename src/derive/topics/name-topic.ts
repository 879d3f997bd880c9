// A topic's name, as a person would give it: up to three short phrases of what its messages are about. Each message brings
// its subjects, runs of up to four content words as somebody wrote them; a topic counts in how many messages of people and
// of the other side each of them occurs. A word weighs more the more messages have it, where both sides use it, in the
// opening of the topic and as a name, and less where other topics of the conversation have it too. The best phrase comes
// first, and others join it while there is room. Nothing is cut inside a phrase, and the name is renewed as messages come.

import { isSubjectWord } from '../../domain/subject-words.ts'
import { findWords } from '../../domain/words.ts'
import { isDateWord } from '../facts/statements/read-values.ts'

/** A phrase of one message. */
export interface Subject {
  /** As it was written. */
  readonly text: string
  /** The stems of its content words. */
  readonly stems: readonly string[]
  /** The stems, joined by spaces. */
  readonly key: string
}

/** A phrase of a topic, and how many messages have it. */
export interface SubjectCount extends Subject {
  readonly people: number
  readonly replies: number
  /** It occurs in the message that began the topic. */
  readonly isOpening: boolean
}

const READ_CHARACTERS = 1500
const MAX_PHRASE_WORDS = 4
/** Of one message, and of a topic: what it is about is said more than once, or early. */
const MAX_SUBJECTS_OF_MESSAGE = 24
const MAX_SUBJECTS = 60
const MAX_PHRASES = 3
const MAX_NAME_WORDS = 6
/** A name of this many words needs no further phrase. */
const ENOUGH_WORDS = 4
/** A further phrase has at least this share of the first one's score. */
const MIN_SHARE = 0.35

/** What a message is about, in the order in which it is said. */
export function findSubjects(text: string): readonly Subject[] {
  const found = new Map<string, Subject>()
  for (const run of findRuns(text)) {
    for (let from = 0; from < run.length; from++) {
      addPhrases(run, from, found)
      if (found.size >= MAX_SUBJECTS_OF_MESSAGE) return [...found.values()].slice(0, MAX_SUBJECTS_OF_MESSAGE)
    }
  }
  return [...found.values()]
}

/** The phrases that begin with a content word and end with one. */
function addPhrases(run: readonly Token[], from: number, found: Map<string, Subject>): void {
  const { text: begin, stem: first } = run[from] as Token
  if (first === undefined) return
  const stems = [first]
  let [text, key] = [begin, first]
  if (!found.has(key)) found.set(key, { text, stems: [first], key })
  const end = Math.min(run.length, from + MAX_PHRASE_WORDS)
  for (let i = from + 1; i < end; i++) {
    const token = run[i] as Token
    text += ` ${token.text}`
    if (token.stem === undefined) continue
    stems.push(token.stem)
    key += ` ${token.stem}`
    if (!found.has(key)) found.set(key, { text, stems: [...stems], key })
  }
}

/** As it is stored with every message of a topic: short. */
export type StoredSubject = readonly [
  text: string,
  stems: string,
  people: number,
  replies: number,
  isOpening?: 1,
]

export const toStoredSubject = ({ text, key, people, replies, isOpening }: SubjectCount): StoredSubject =>
  isOpening ? [text, key, people, replies, 1] : [text, key, people, replies]

export const readStoredSubject = ([text, key, people, replies, isOpening]: StoredSubject): SubjectCount => ({
  text,
  stems: key.split(' '),
  key,
  people,
  replies,
  isOpening: isOpening === 1,
})

/** The subjects of a topic with those of one message more. */
export function countSubjects(
  known: readonly SubjectCount[],
  subjects: readonly Subject[],
  { isPerson, isOpening }: { readonly isPerson: boolean; readonly isOpening: boolean },
): readonly SubjectCount[] {
  if (subjects.length === 0) return known
  const counts = toCounts(known)
  const [person, reply] = isPerson ? [1, 0] : [0, 1]
  for (const { text, stems, key } of subjects) {
    const before = counts.get(key)
    if (before === undefined) counts.set(key, { text, stems, key, people: person, replies: reply, isOpening })
    else counts.set(key, add(before, { people: person, replies: reply, isOpening }))
  }
  return keepMostSaid([...counts.values()])
}

function toCounts(subjects: readonly SubjectCount[]): Map<string, SubjectCount> {
  const counts = new Map<string, SubjectCount>()
  for (const subject of subjects) counts.set(subject.key, subject)
  return counts
}

function add(
  { text, stems, key, ...before }: SubjectCount,
  { people, replies, isOpening }: Pick<SubjectCount, 'people' | 'replies' | 'isOpening'>,
): SubjectCount {
  return {
    text,
    stems,
    key,
    people: before.people + people,
    replies: before.replies + replies,
    isOpening: before.isOpening || isOpening,
  }
}

/** Of two topics that became one. */
export function joinSubjects(
  into: readonly SubjectCount[],
  from: readonly SubjectCount[],
): readonly SubjectCount[] {
  const counts = toCounts(into)
  for (const subject of from) {
    const before = counts.get(subject.key)
    counts.set(subject.key, before === undefined ? subject : add(before, { ...subject, isOpening: false }))
  }
  return keepMostSaid([...counts.values()])
}

function keepMostSaid(subjects: readonly SubjectCount[]): readonly SubjectCount[] {
  if (subjects.length <= MAX_SUBJECTS) return subjects
  const weightOf = ({ people, replies, isOpening }: SubjectCount) =>
    people * 2 + replies + (isOpening ? 3 : 0)
  return subjects.toSorted((one, other) => weightOf(other) - weightOf(one)).slice(0, MAX_SUBJECTS)
}

/** The name of a topic among the other topics of its conversation; undefined where nothing names it. */
export function nameTopic(
  subjects: readonly SubjectCount[],
  others: readonly (readonly SubjectCount[])[] = [],
): string | undefined {
  return joinBest(subjects, weighStems(subjects, others), MIN_SHARE)
}

function joinBest(
  subjects: readonly SubjectCount[],
  weights: ReadonlyMap<string, number>,
  minShare: number,
): string | undefined {
  const ranked = subjects
    .map((subject) => ({ ...subject, score: scoreOf(subject, weights) }))
    .sort((one, other) => other.score - one.score)
  const [best] = ranked
  if (best === undefined) return undefined
  const name = joinPhrases(ranked, best.score * minShare)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A word of the message that began the conversation says what it is for. */
const OPENING_WEIGHT = 3
/** For each further topic that has a word. */
const SPREAD_WEIGHT = 0.3
/** A title says what it is about rather than who takes part. */
const NAME_WEIGHT = 0.8
const MIN_TITLE_SHARE = 0.25

/** The title of a conversation, by the subjects of its topics in order; undefined where nothing names it. */
export function nameConversation(topics: readonly (readonly SubjectCount[])[]): string | undefined {
  const subjects = topics.reduce(joinSubjects, [])
  const opening = new Set(topics[0]?.flatMap(({ isOpening, key }) => (isOpening ? key : [])))
  const weigh = ({ people, replies, key, text }: SubjectCount): number => {
    const spread = topics.filter((topic) => topic.some((other) => other.key === key)).length
    const said = Math.sqrt(people + replies) * (people > 0 && replies > 0 ? 1.6 : 1)
    const isName = /^\p{Lu}/u.test(text)
    return (
      said *
      (opening.has(key) ? OPENING_WEIGHT : 1) *
      (isName ? NAME_WEIGHT : 1) *
      Math.min(1.2, 0.6 + text.length / 12) *
      (1 + SPREAD_WEIGHT * (spread - 1))
    )
  }
  const words = subjects.filter(({ stems }) => stems.length === 1)
  const weights = new Map(words.map((word) => [word.stems[0] ?? '', weigh(word)]))
  return joinBest(subjects, weights, MIN_TITLE_SHARE)
}

function weighStems(
  subjects: readonly SubjectCount[],
  others: readonly (readonly SubjectCount[])[],
): ReadonlyMap<string, number> {
  const elsewhere = new Map<string, number>()
  for (const topic of others)
    for (const stem of new Set(topic.flatMap(({ stems }) => stems)))
      elsewhere.set(stem, (elsewhere.get(stem) ?? 0) + 1)
  const rarityOf = (stem: string) => Math.log(2 + others.length / (1 + (elsewhere.get(stem) ?? 0)))
  const words = subjects.filter(({ stems }) => stems.length === 1)
  return new Map(words.map((word) => [word.stems[0] ?? '', weigh(word) * rarityOf(word.stems[0] ?? '')]))
}

function weigh({ people, replies, isOpening, text }: SubjectCount): number {
  const isShared = people > 0 && replies > 0
  const said = Math.sqrt(people + replies) * (isShared ? 1.6 : 1) * (isOpening ? 1.25 : 1)
  return said * (/^\p{Lu}/u.test(text) ? 1.15 : 1) * Math.min(1.2, 0.6 + text.length / 12)
}

/** More words tell more, but not in proportion; a phrase that comes back is a name. */
function scoreOf({ stems, people, replies }: SubjectCount, weights: ReadonlyMap<string, number>): number {
  const total = stems.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0)
  const score = (total / stems.length ** 0.6) * (stems.length === 1 ? 0.8 : 1) * (people > 0 ? 1 : 0.75)
  return score * Math.min(2, 1.15 ** (people + replies - 1))
}

function joinPhrases(ranked: readonly (Subject & { readonly score: number })[], minScore: number): string {
  const phrases: Subject[] = []
  let words = 0
  for (const candidate of ranked) {
    if (phrases.length === MAX_PHRASES || words >= ENOUGH_WORDS) break
    if (candidate.score < minScore) break
    const length = candidate.text.split(' ').length
    const used = phrases.flatMap(({ stems }) => stems)
    const isNew = candidate.stems.every(
      (stem) => !used.some((other) => other.includes(stem) || stem.includes(other)),
    )
    if (!isNew || words + length > MAX_NAME_WORDS) continue
    phrases.push(candidate)
    words += length
  }
  return phrases.map(({ text }) => text).join(', ')
}

interface Token {
  readonly text: string
  /** Missing for a small word between content words: "cost of living". */
  readonly stem?: string
}

const JOINTS: ReadonlySet<string> = new Set(
  'of for in to at on with de del la du des di da do della von vom für zur zum im per en y e und and'.split(
    ' ',
  ),
)

const TOKEN = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’./+#-]*/gu
/** The same for text without other letters, in half the time. */
const ASCII_TOKEN = /[A-Za-z0-9][A-Za-z0-9'./+#-]*/g
const IS_ASCII = /^\p{ASCII}*$/u

const tokensOf = (clause: string): readonly Token[] =>
  (clause.match(IS_ASCII.test(clause) ? ASCII_TOKEN : TOKEN) ?? []).map(toToken)

/** Runs of content words, with small words between them. */
function findRuns(text: string): readonly (readonly Token[])[] {
  const plain = text
    .slice(0, READ_CHARACTERS)
    .replace(/```[\s\S]*?(?:```|$)/gu, '. ')
    .replace(/https?:\S+/gu, '. ')
  const runs: Token[][] = []
  for (const clause of plain.split(/[.!?;:,\n()"“”«»|*–—]+|\s-\s/u)) {
    let run: Token[] = []
    runs.push(run)
    for (const token of tokensOf(clause)) {
      if (token.stem !== undefined || (JOINTS.has(token.text.toLowerCase()) && run.length > 0))
        run.push(token)
      else {
        run = []
        runs.push(run)
      }
    }
  }
  return runs.filter((run) => run.length > 0)
}

/** Most words of a conversation come back. */
const tokens = new Map<string, Token>()
const MAX_TOKENS_CACHED = 20_000

function toToken(raw: string): Token {
  const known = tokens.get(raw)
  if (known !== undefined) return known
  if (tokens.size >= MAX_TOKENS_CACHED) tokens.clear()
  const token = readToken(raw)
  tokens.set(raw, token)
  return token
}

function readToken(raw: string): Token {
  const text = raw.replace(/['’]s$|['’./-]+$/u, '')
  const word = findWords(text)[0]?.word ?? ''
  const isSubject = !/^\p{N}/u.test(text) && isSubjectWord(word) && !isDateWord(text)
  return isSubject ? { text, stem: word.slice(0, Math.max(4, Math.ceil(word.length * 0.75))) } : { text }
}
