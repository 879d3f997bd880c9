// A topic's name: up to three noun phrases of what its messages are about. Each message brings its words and noun phrases
// (find-subjects.ts); a topic counts in how many messages of people and of the other side each of them occurs. A word weighs
// more the more messages have it, where both sides use it, in the opening of the topic, where a person asks for it and as a
// name, and less where other topics of the conversation have it too. The best phrase comes first, and others join it while
// there is room. Nothing is cut inside a phrase, and the name is renewed as messages come.

import { isQualified, type Subject } from './find-subjects.ts'

/** A phrase of a topic, and how many messages have it. */
export interface SubjectCount extends Subject {
  readonly people: number
  readonly replies: number
  /** It occurs in the messages that began the topic, or a person asked for it. */
  readonly isOpening: boolean
}

/** Of one message, and of a topic: what it is about is said more than once, or early. */
const MAX_SUBJECTS = 200
const MAX_PHRASES = 3
const MAX_NAME_WORDS = 6
/** A name of this many words needs no further phrase. */
const ENOUGH_WORDS = 4
/** A further phrase has at least this share of the first one's score. */
const MIN_SHARE = 0.35

/** As it is stored with every message of a topic: short. */
export type StoredSubject = readonly [
  text: string,
  stems: string,
  people: number,
  replies: number,
  /** 1: in the opening or asked for, 2: a noun. */
  marks?: number,
]

export function toStoredSubject(subject: SubjectCount): StoredSubject {
  const { text, key, people, replies, isOpening, isNoun } = subject
  return [text, key, people, replies, Number(isOpening) + 2 * Number(isNoun)]
}

export const readStoredSubject = ([text, key, people, replies, marks = 0]: StoredSubject): SubjectCount => ({
  text,
  stems: key.split(' '),
  key,
  people,
  replies,
  isOpening: marks % 2 === 1,
  isNoun: marks >= 2,
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
  for (const { text, stems, key, isNoun, isAsked } of subjects) {
    const isBegun = isOpening || (isPerson && isAsked === true)
    const once = { text, stems, key, isNoun, people: person, replies: reply, isOpening: isBegun }
    const before = counts.get(key)
    counts.set(key, before === undefined ? once : add(before, once))
  }
  return keepMostSaid([...counts.values()])
}

function toCounts(subjects: readonly SubjectCount[]): Map<string, SubjectCount> {
  const counts = new Map<string, SubjectCount>()
  for (const subject of subjects) counts.set(subject.key, subject)
  return counts
}

function add(before: SubjectCount, other: SubjectCount): SubjectCount {
  const { stems, key } = before
  return {
    text: isBetterWritten(other, before) ? other.text : before.text,
    stems,
    key,
    people: before.people + other.people,
    replies: before.replies + other.replies,
    isOpening: before.isOpening || other.isOpening,
    isNoun: before.isNoun || other.isNoun,
  }
}

/** A word is shown as it is written where it is a noun, and not as it is shouted. */
function isBetterWritten(one: SubjectCount, other: SubjectCount): boolean {
  return (one.isNoun && !other.isNoun) || (/\p{Lu}{5}/u.test(other.text) && !/\p{Lu}{5}/u.test(one.text))
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

/** What was said least is forgotten first, of equals the oldest: what matters later has just been said for the first time. */
function keepMostSaid(subjects: readonly SubjectCount[]): readonly SubjectCount[] {
  if (subjects.length <= MAX_SUBJECTS) return subjects
  // There are few different weights, so that grouping takes less time than sorting.
  const byWeight = new Map<number, SubjectCount[]>()
  for (const subject of subjects) {
    const weight = weightOf(subject)
    const group = byWeight.get(weight)
    if (group === undefined) byWeight.set(weight, [subject])
    else group.push(subject)
  }
  const groups = [...byWeight].sort(([one], [other]) => one - other)
  return groups.flatMap(([, group]) => group).slice(-MAX_SUBJECTS)
}

/** A whole number, which a map finds faster. */
const weightOf = ({ people, replies, isOpening, stems }: SubjectCount): number =>
  4 * (people + replies) + (isOpening ? 2 : 0) - (stems.length > 1 ? 1 : 0)

/** The name of a topic among the other topics of its conversation; undefined where nothing names it. */
export function nameTopic(
  subjects: readonly SubjectCount[],
  others: readonly (readonly SubjectCount[])[] = [],
): string | undefined {
  return joinBest(subjects, weighStems(subjects, others), MIN_SHARE)
}

/** A phrase whose last word is a noun somewhere; one with an adjective only if it is said more than once. */
function isNameable({ text, stems, people, replies, isNoun }: SubjectCount): boolean {
  return isNoun && (stems.length === 1 || people + replies > 1 || !isQualified(text))
}

function joinBest(
  subjects: readonly SubjectCount[],
  weights: ReadonlyMap<string, number>,
  minShare: number,
): string | undefined {
  const ranked = subjects
    .filter(isNameable)
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
  const topicsWith = new Map<string, number>()
  for (const { key } of topics.flat()) topicsWith.set(key, (topicsWith.get(key) ?? 0) + 1)
  const weigh = ({ people, replies, key, text }: SubjectCount): number => {
    const spread = topicsWith.get(key) ?? 0
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
  const texts = phrases.map(({ text }) => text)
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((part) => part !== '').join(' & ')
}
