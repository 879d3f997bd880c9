// An answer without a model: quotes what was recalled, with speaker and date, and the facts that answer the question. It
// makes nothing up and draws no conclusions. If what is asked for occurs nowhere, it says so and quotes nothing. It says
// once that no model answered, in the language of the question.

import type { Fact } from '../domain/fact.ts'
import type { Note } from '../domain/note.ts'
import type { Recalled, SearchedWord } from '../domain/recall.ts'
import { TEXTS, type Texts, textsFor } from './answer-texts.ts'
import { askedWords, bestSentences } from './asked-words.ts'
import {
  asksForEverything,
  asksForInstructions,
  asksForList,
  describeFact,
  factsFor,
  profileOf,
} from './known-facts.ts'
import { type OpenedFile, outlineFile } from './outline-file.ts'
import { answeringItems, withoutPadding } from './question-focus.ts'

export interface MemoryAnswer {
  readonly question: string
  /** A model is configured, but failed. */
  readonly hasModel: boolean
  /** Best first. */
  readonly items: readonly Recalled[]
  /** The words that were searched for. */
  readonly words: readonly SearchedWord[]
  /** What is known and holds now, in the scope of the turn. */
  readonly facts: readonly Fact[]
  /** Web results of this turn. */
  readonly notes: readonly Note[]
  /** The active file of the page, if the question is about it as a whole. */
  readonly file?: OpenedFile
  /** Titles of other conversations. */
  readonly titles: ReadonlyMap<string, string>
  readonly currentConversationId: string
}

const MAX_QUOTES = 4
/** Of an answer that is a list: "all her rules", "who belongs to …". */
const MAX_LISTED = 6
const MAX_QUOTE_CHARACTERS = 400
const MAX_FACTS = 20
/** Of the best item's score: what is far below it is padding. */
const MIN_SHARE = 0.75

export function answerFromMemory(answer: MemoryAnswer): string {
  const { question, facts } = answer
  const texts = textsFor(
    question,
    answer.items.map(({ text }) => text),
  )
  if (asksForEverything(question) && facts.length > 0) {
    const known = profileOf(facts, MAX_FACTS).map((fact) => `- ${describeFact(fact)}`)
    return `${stateOf(answer, texts)}. ${texts.known}\n\n${known.join('\n')}`
  }
  if (answer.file !== undefined) {
    return [`${stateOf(answer, texts)}. ${texts.file}`, quoteFile(answer.file)].join('\n\n')
  }
  const quotes = [...answer.notes.map(quoteNote), ...quoteFactsAndItems(answer, factsFor(question, facts))]
  const limit = asksForList(question) ? MAX_LISTED : MAX_QUOTES
  return [opening(answer, quotes.length, texts), ...[...new Set(quotes)].slice(0, limit)].join('\n\n')
}

const stateOf = ({ hasModel }: MemoryAnswer, texts: Texts): string =>
  hasModel ? texts.unreachable : texts.noModel

function opening(answer: MemoryAnswer, found: number, texts: Texts): string {
  const state = stateOf(answer, texts)
  if (asks(answer.question))
    return found === 0 ? `${state}, ${texts.nothing}` : `${state}. ${texts.remembered}`
  if (texts !== TEXTS.en) return `${texts.saved} ${state}.${found === 0 ? '' : ` ${texts.remembered}`}`
  return found === 0 ? `Saved. ${state}, so I cannot reply.` : `Saved. ${state}; this is related:`
}

const ASKING =
  /[?？؟]|^\W*(?:(?:and|but|so|ok|please|hey|hi|hello)\W+)*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|will|would|can|could|should|shall|may|have|has|had|tell|show|give|find|list|name|remind|recall|summari[sz]e|explain|describe|search|look up|compare)\b/iu

/** Whether the text is a question or a command. */
export function asks(text: string): boolean {
  return ASKING.test(text)
}

/** Nothing is said twice: a fact is quoted in the words of its message if that was found and is short. */
function quoteFactsAndItems(answer: MemoryAnswer, facts: readonly Fact[]): readonly string[] {
  const items = itemsToQuote(answer)
  const sources = facts.map((fact) => items.find((item) => isShort(item) && isSource(item, fact)))
  const known = facts.map((fact, i) => sources[i] ?? fact)
  const others = items.filter(
    (item) => !(known.includes(item) || facts.some((fact) => item.kind === 'fact' && item.id === fact.id)),
  )
  const untold = others.filter((item) => !facts.some((fact) => isSource(item, fact)))
  const quoteOne = (one: Fact | Recalled): string =>
    'attribute' in one ? quoteFact(one) : quoteItem(one, answer)
  return [...known, ...untold].map(quoteOne)
}

const MAX_SHORT_CHARACTERS = 300
const isShort = ({ text }: Recalled): boolean => text.length <= MAX_SHORT_CHARACTERS
const isSource = ({ kind, id }: Recalled, { sources }: Fact): boolean =>
  kind === 'message' && sources.some((source) => source === id)

/** A fact is left out if the message that states it is quoted. */
function itemsToQuote({ question, words, items }: MemoryAnswer): readonly Recalled[] {
  const answering = asks(question) ? answeringItems(question, { words, items }) : items
  const wantsInstructions = asksForInstructions(question)
  const telling = answering
    .filter((item) => !(isBareQuestion(item) || (!wantsInstructions && isOnlyInstruction(item))))
    .map((item) => withQuestion(item, items))
  const least = MIN_SHARE * Math.max(0, ...telling.map(({ score }) => score))
  const likely = telling.filter(({ score }) => score >= least)
  const best =
    asks(question) && !asksForList(question) ? withoutPadding(question, { words, items: likely }) : likely
  const said = new Set(best.filter(({ kind }) => kind === 'message').map(({ id }) => id))
  return best.filter(({ kind, messageIds }) => kind !== 'fact' || !messageIds.some((id) => said.has(id)))
}

const MAX_REPLY_CHARACTERS = 80

/** "At the scout hut then" says little without the question before it. */
function withQuestion(item: Recalled, items: readonly Recalled[]): Recalled {
  const { kind, conversationId, position, text } = item
  if (kind !== 'message' || position === undefined || text.length > MAX_REPLY_CHARACTERS) return item
  const before = items.find(
    (other) =>
      isBareQuestion(other) && other.conversationId === conversationId && other.position === position - 1,
  )
  return before === undefined ? item : { ...item, text: `${before.text.trim()}\n${text}` }
}

function quoteItem(item: Recalled, { question, titles, currentConversationId }: MemoryAnswer): string {
  return quote(bestSentences(item.text.trim(), askedWords(question), MAX_QUOTE_CHARACTERS), [
    sourceOf(item),
    placeOf(item, titles, currentConversationId),
    dayOf(item.createdAt),
  ])
}

/** The same question asked before is no answer. A query with SQL or a response has more than one line. */
const isBareQuestion = ({ kind, role, text }: Recalled): boolean =>
  (kind === 'query' && !text.trim().includes('\n')) ||
  (kind === 'message' && role === 'user' && /^[^.!?]*\?\s*$/u.test(text.trim()))

/** Instructions are recalled with every question; they are followed, not quoted, unless the question is about them. */
const isOnlyInstruction = ({ why }: Recalled): boolean =>
  why.some(({ signal }) => signal === 'instruction') && !why.some(({ signal }) => signal === 'words')

const quoteFact = (fact: Fact): string => quote(describeFact(fact), [KIND_NAMES.fact, dayOf(fact.saidAt)])

const quoteNote = ({ text, source: { title, url, tool }, createdAt }: Note): string =>
  quote(bestSentences(text, [], MAX_QUOTE_CHARACTERS), [
    title ?? tool ?? 'the web',
    title === undefined ? undefined : url,
    dayOf(createdAt),
  ])

const quoteFile = (file: OpenedFile): string => quote(outlineFile(file), [file.name, dayOf(file.updatedAt)])

function quote(text: string, about: readonly (string | undefined)[]): string {
  const lines = text.trim().split('\n')
  const source = about.filter((word) => word !== undefined).join(', ')
  return `${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n> — ${source}`
}

function sourceOf({ kind, role, source }: Recalled): string {
  if (kind !== 'message') return source ?? KIND_NAMES[kind]
  if (source !== undefined) return source
  return role === 'user' ? 'you' : (role ?? 'somebody')
}

const KIND_NAMES: Readonly<Record<Exclude<Recalled['kind'], 'message'>, string>> = {
  summary: 'summary',
  fact: 'what I know',
  note: 'note',
  chunk: 'document',
  query: 'earlier question',
}

function placeOf(
  { conversationId }: Recalled,
  titles: ReadonlyMap<string, string>,
  currentConversationId: string,
): string | undefined {
  if (conversationId === undefined || conversationId === currentConversationId) return undefined
  const title = titles.get(conversationId)
  return title === undefined ? 'in another conversation' : `in “${title}”`
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

const dayOf = (moment: Date): string | undefined =>
  Number.isNaN(moment.getTime()) ? undefined : DAY.format(moment)
