// Extracts facts from one message without a model. The text that people say in their own name is split into
// sentences and clauses; each clause is parsed into a subject and a predicate; a table of patterns matches
// predicates. Precision over recall: questions, conditions, guesses, wishes, jokes, stories and reported speech
// give nothing, and neither does a value that only points ("I love this").
//
//   message ─▶ keepSpoken ─▶ splitSentences ─▶ splitClauses ─▶ readClause ─▶ patterns ─▶ extracted facts
//
// Invariants:
//  1. Only people are read: role user, and both sides in a chat among people. Never system prompts or tools.
//  2. Text that the caller marks as injected is never read, so that memory does not feed on itself.
//  3. Dates are absolute, resolved from the time the message was written.
//  4. The same message gives the same facts, in the order in which they were said.

import { readDates } from '../../domain/dates/read-dates.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Role } from '../../domain/message.ts'
import type { ExtractedFact } from './extracted-fact.ts'
import { readCorrection } from './patterns/corrections.ts'
import { readCalled, readInstruction } from './patterns/instructions.ts'
import { readBackground } from './patterns/living.ts'
import { matchClause } from './patterns/match-clause.ts'
import { readMentions } from './patterns/mentions.ts'
import type { PatternMatch } from './patterns/pattern.ts'
import { IS_FAVOURITE, IS_ONE_FAVOURITE } from './patterns/tastes.ts'
import { type FoundStatement, readStatements, type SaidBefore } from './statements/find-statements.ts'
import { ENGLISH_STANDING, FIRST_PERSON } from './statements/languages.ts'
import { isCondition, isDoubtful, isPlay, isReport } from './text/is-doubtful.ts'
import { keepSpoken } from './text/keep-spoken.ts'
import { type ParsedClause, type PreviousClause, readClause } from './text/read-clause.ts'
import { splitClauses, splitSentences } from './text/split-clauses.ts'

/** The parts of a message that fact extraction needs. */
export interface SpokenMessage {
  readonly id: MessageId
  readonly role: Role
  readonly text: string
  /** The speaker, if several people share a role. */
  readonly name?: string
  readonly createdAt: Date
  /** In a fork: the message that this one is a copy of. */
  readonly copyOf?: MessageId
}

export interface ExtractOptions {
  /** Matches text that a program put into the message. @default none */
  readonly injected?: RegExp
  /** Whether the role assistant is a person too. Instructions are not extracted then. @default false */
  readonly isAmongPeople?: boolean
  /** Names of the participants, so that "my sister, Ana" is not read as a name if Ana is addressed. @default none */
  readonly participants?: readonly string[]
  /** Whether the speaker is writing a story. @default false */
  readonly isFiction?: boolean
  /** What the message continues. @default nothing */
  readonly before?: SaidBefore
}

export interface ReadFacts {
  readonly facts: ExtractedFact[]
  /** The only person that the message speaks of, so that the next one can mean them by "she". */
  readonly person: string | undefined
}

/** What all matches in one sentence have in common. */
interface Scene {
  readonly message: SpokenMessage
  readonly options: ExtractOptions
  readonly speaker: string
  readonly sentence: string
}

/** The facts that one message states. */
export function extractFacts(message: SpokenMessage, options: ExtractOptions = {}): ExtractedFact[] {
  return readMessageFacts(message, options).facts
}

export function readMessageFacts(message: SpokenMessage, options: ExtractOptions): ReadFacts {
  const isPerson = message.role === 'user' || (message.role === 'assistant' && options.isAmongPeople === true)
  if (!isPerson) return { facts: [], person: options.before?.before }
  const speaker = message.name ?? 'user'
  const spoken = keepSpoken(message.text, options.injected)
  const extracted = splitSentences(spoken).flatMap((sentence) =>
    readSentence({ message, options, speaker, sentence }),
  )
  const { statements, person } = readStatements(spoken, options.before ?? {})
  const stated = statements
    .map((statement) => toStatement(statement, { message, options, speaker }))
    .filter((statement) => !isCovered(statement, extracted))
  return { facts: dropRepeated([...extracted, ...stated]), person }
}

function toStatement(
  { text, evidence, isRule, details }: FoundStatement,
  { message, options, speaker }: Omit<Scene, 'sentence'>,
): ExtractedFact {
  // Patterns read English instructions; what they leave is a rule, but no order that has to be recalled with everything.
  const kind = ENGLISH_STANDING.test(text) ? 'statement' : 'instruction'
  const isInstruction = isRule && options.isAmongPeople !== true && message.name === undefined
  // In a story, people and things are made up; what authors say about themselves is not.
  const subject = options.isFiction === true && !FIRST_PERSON.test(text) ? 'story' : speaker
  return {
    ...toExtractedFact(
      { message, options, speaker, sentence: evidence },
      isInstruction
        ? { action: 'state', attribute: 'instruction', value: text, kind, confidence: 0.8 }
        : { action: 'state', attribute: 'said', value: text, kind: 'statement', confidence: 0.7 },
    ),
    subject,
    statement: details,
  }
}

/** Whether patterns already extracted every name and value of the statement from the same sentence. */
function isCovered({ evidence, statement }: ExtractedFact, extracted: readonly ExtractedFact[]): boolean {
  const found = extracted.filter(
    (fact) => evidence.includes(fact.evidence) || fact.evidence.includes(evidence),
  )
  if (found.length === 0) return false
  if (found.some(({ attribute }) => attribute === 'instruction')) return true
  const read = found.map(({ subject, value = '' }) => `${subject} ${value}`.toLowerCase()).join('\n')
  // Patterns make dates absolute or move them to the period, so dates cannot be compared.
  const values = statement?.values.filter(({ type }) => type !== 'date').map(({ text }) => text) ?? []
  return [...(statement?.names ?? []), ...values].every((text) => read.includes(text.toLowerCase()))
}

function readSentence(scene: Scene): ExtractedFact[] {
  if (!SPEAKS_OF_SELF.test(scene.sentence)) return readOrders(scene)
  if (isPlay(scene.sentence)) return []
  return [...readOrders(scene), ...readNamed(scene), ...readClauses(scene)]
}
const SPEAKS_OF_SELF = /\b(?:i|im|i'm|i've|i'll|my|me|we|we're|we've|we'll|our)\b/i

function readOrders(scene: Scene): ExtractedFact[] {
  const { message, options, sentence } = scene
  const correction = readCorrection(sentence, { now: message.createdAt, lean: 'future' })
  if (correction !== undefined) {
    const { until, ...put } = correction
    const ends = until === undefined ? {} : { validUntil: until }
    return [
      {
        ...toExtractedFact(scene, {
          action: 'correct',
          attribute: '',
          value: put.value,
          kind: 'fact',
          confidence: 0.7,
        }),
        ...put,
        ...ends,
      },
    ]
  }
  const called = readCalled(sentence)
  const order = options.isAmongPeople === true ? undefined : readInstruction(sentence)
  const matches: PatternMatch[] = []
  if (called !== undefined)
    matches.push({
      action: 'state',
      attribute: 'called',
      value: called,
      kind: 'instruction',
      confidence: 0.9,
    })
  if (order !== undefined)
    matches.push({
      action: 'state',
      attribute: 'instruction',
      value: order,
      kind: 'instruction',
      confidence: 0.85,
    })
  return matches.map((match) => toExtractedFact(scene, match))
}

function readNamed(scene: Scene): ExtractedFact[] {
  if (isReport(scene.sentence) && /["“”]/.test(scene.sentence)) return []
  const others = scene.options.participants ?? []
  const named = readMentions(scene.sentence, others).map(
    ({ attribute, value }) => [attribute, value] as const,
  )
  const isDoubted = isDoubtful(scene.sentence) || /\?\W*$/.test(scene.sentence)
  return [...named, ...(isDoubted ? [] : readBackground(scene.sentence))].map(([attribute, value]) =>
    toExtractedFact(scene, { action: 'state', attribute, value, kind: 'fact', confidence: 0.85 }),
  )
}

function readClauses(scene: Scene): ExtractedFact[] {
  const extracted: ExtractedFact[] = []
  let before: PreviousClause | undefined
  for (const { text, lead, isQuestion } of splitClauses(scene.sentence)) {
    if (isCondition(lead)) break
    const parsed = readClause(text, lead, before)
    before = { text, parsed }
    if (isQuestion || PASSED.has(lead)) continue
    // After "she said", the rest of the sentence is reported speech.
    if (isReport(text)) break
    if (!isDoubtful(text)) extracted.push(...extractFromClause(scene, parsed, text))
  }
  return extracted
}
/** "When I lived in …" has ended, and "until I move …" has not begun. */
const PASSED: ReadonlySet<string> = new Set([
  'when',
  'whenever',
  'while',
  'before',
  'until',
  'once',
  'after',
  'or',
])

function extractFromClause(scene: Scene, parsed: ParsedClause, clause: string): ExtractedFact[] {
  const favourite = IS_FAVOURITE.exec(clause)
  const matches = favourite === null ? matchClause(parsed, clause, scene.message.createdAt) : []
  const liked = IS_ONE_FAVOURITE.exec(clause)?.[1]
  if (liked !== undefined)
    matches.push({ action: 'state', attribute: 'likes', value: liked, kind: 'preference', confidence: 0.8 })
  if (favourite?.[1] !== undefined) {
    matches.push({
      action: 'state',
      attribute: `favourite ${favourite[2]}`,
      value: favourite[1],
      kind: 'preference',
      confidence: 0.85,
    })
  }
  return matches.map((match) => {
    const subject = parsed.of === 'other' ? nameOther(scene.speaker, parsed.subject) : scene.speaker
    return {
      ...toExtractedFact(scene, match),
      subject,
      validFrom: since(clause, match, scene.message.createdAt),
    }
  })
}

const nameOther = (speaker: string, subject: string): string =>
  subject.startsWith("'s ") ? speaker + subject : subject

/** "I've lived here since 2019" is valid from then; everything else from when it was said. */
function since(clause: string, { attribute }: PatternMatch, now: Date): Date {
  if (!DATED.has(attribute)) return now
  const [span] = readDates(clause, { now, lean: 'past' })
  return span !== undefined && span.start < now ? span.start : now
}
const DATED: ReadonlySet<string> = new Set([
  'home',
  'employer',
  'job',
  'diet',
  'relationship status',
  'pet',
  'school',
  'car',
  'phone',
  'uses',
])

function toExtractedFact(
  { message, speaker, sentence }: Scene,
  match: PatternMatch & { until?: Date },
): ExtractedFact {
  const { until, ...rest } = match
  const ends = until === undefined ? {} : { validUntil: until }
  return {
    subject: speaker,
    validFrom: message.createdAt,
    messageId: message.id,
    ...definedFields({ copyOf: message.copyOf }),
    saidAt: message.createdAt,
    evidence: sentence,
    ...rest,
    ...ends,
  }
}

function dropRepeated(extracted: readonly ExtractedFact[]): ExtractedFact[] {
  const seen = new Set<string>()
  return extracted.filter(({ action, subject, attribute, value }) => {
    const key = JSON.stringify([action, subject, attribute, value])
    return !seen.has(key) && seen.add(key)
  })
}
