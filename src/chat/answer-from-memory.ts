// An answer without a model: quotes what was recalled, with speaker and date, and the facts that answer the question. It
// makes nothing up and draws no conclusions. If what is asked for occurs nowhere, it says so and quotes nothing. It says
// once that no model answered, in the language of the question.

import type { Fact } from '../domain/fact.ts'
import { type LanguageCode, languageOfText } from '../domain/function-words.ts'
import type { Note } from '../domain/note.ts'
import type { Recalled, SearchedWord } from '../domain/recall.ts'
import { asksForEverything, describeFact, factsFor } from './known-facts.ts'
import { type OpenedFile, outlineFile } from './outline-file.ts'
import { answeringItems } from './question-focus.ts'

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
const MAX_QUOTE_CHARACTERS = 400
const MAX_FACTS = 20
/** Of the best item's score: what is far below it is padding. */
const MIN_SHARE = 0.75

export function answerFromMemory(answer: MemoryAnswer): string {
  const texts = textsFor(answer)
  if (asksForEverything(answer.question) && answer.facts.length > 0) {
    const known = answer.facts.slice(-MAX_FACTS).map((fact) => `- ${describeFact(fact)}`)
    return `${stateOf(answer, texts)}. ${texts.known}\n\n${known.join('\n')}`
  }
  if (answer.file !== undefined) {
    return [`${stateOf(answer, texts)}. ${texts.file}`, quoteFile(answer.file)].join('\n\n')
  }
  const quotes = [
    ...answer.notes.map(quoteNote),
    ...factsFor(answer.question, answer.facts).map(quoteFact),
    ...quoteItems(answer),
  ].slice(0, MAX_QUOTES)
  return [opening(answer, quotes.length, texts), ...new Set(quotes)].join('\n\n')
}

interface Texts {
  readonly noModel: string
  readonly unreachable: string
  readonly known: string
  readonly remembered: string
  readonly nothing: string
  readonly saved: string
  readonly file: string
}

const TEXTS = {
  en: {
    noModel: 'No language model is connected',
    unreachable: 'The language model cannot be reached',
    known: 'This is what I know about you:',
    remembered: 'This is what I remember about it:',
    nothing: 'and I found nothing about this in memory.',
    saved: 'Saved.',
    file: 'This is in the file:',
  },
  de: {
    noModel: 'Es ist kein Sprachmodell verbunden',
    unreachable: 'Das Sprachmodell ist nicht erreichbar',
    known: 'Das weiß ich über dich:',
    remembered: 'Dazu ist gespeichert:',
    nothing: 'und dazu ist nichts gespeichert.',
    saved: 'Gespeichert.',
    file: 'Das steht in der Datei:',
  },
  es: {
    noModel: 'No hay ningún modelo de lenguaje conectado',
    unreachable: 'No se puede contactar con el modelo de lenguaje',
    known: 'Esto es lo que sé de ti:',
    remembered: 'Esto es lo que recuerdo:',
    nothing: 'y no he encontrado nada sobre esto en la memoria.',
    saved: 'Guardado.',
    file: 'Esto contiene el archivo:',
  },
  fr: {
    noModel: "Aucun modèle de langage n'est connecté",
    unreachable: 'Le modèle de langage est injoignable',
    known: 'Voici ce que je sais de toi :',
    remembered: 'Voici ce dont je me souviens :',
    nothing: "et je n'ai rien trouvé à ce sujet en mémoire.",
    saved: 'Enregistré.',
    file: 'Voici ce que contient le fichier :',
  },
  pt: {
    noModel: 'Nenhum modelo de linguagem está conectado',
    unreachable: 'Não foi possível contatar o modelo de linguagem',
    known: 'Isto é o que sei sobre você:',
    remembered: 'Isto é o que eu lembro:',
    nothing: 'e não encontrei nada sobre isso na memória.',
    saved: 'Salvo.',
    file: 'Isto está no arquivo:',
  },
  it: {
    noModel: 'Nessun modello linguistico è collegato',
    unreachable: 'Il modello linguistico non è raggiungibile',
    known: 'Ecco cosa so di te:',
    remembered: 'Ecco cosa ricordo:',
    nothing: 'e non ho trovato nulla al riguardo in memoria.',
    saved: 'Salvato.',
    file: 'Ecco cosa contiene il file:',
  },
} as const satisfies Readonly<Record<LanguageCode, Texts>>

/** The language of the question; if that cannot be told, of what was found. */
function textsFor({ question, items }: MemoryAnswer): Texts {
  const found = items.map(({ text }) => text).join('\n')
  return TEXTS[languageOfText(question) ?? languageOfText(found) ?? 'en']
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

/** A fact is left out if the message that states it is quoted. */
function quoteItems(answer: MemoryAnswer): readonly string[] {
  const { question, words, titles, currentConversationId } = answer
  const answering = asks(question) ? answeringItems(question, { words, items: answer.items }) : answer.items
  const least = MIN_SHARE * (answering[0]?.score ?? 0)
  const items = answering.filter(({ score }) => score >= least)
  const said = new Set(items.filter(({ kind }) => kind === 'message').map(({ id }) => id))
  return items
    .filter(({ kind, messageIds }) => kind !== 'fact' || !messageIds.some((id) => said.has(id)))
    .filter((item) => !(isBareQuestion(item) || isOnlyInstruction(item)))
    .map((item) =>
      quote(item.text, [sourceOf(item), placeOf(item, titles, currentConversationId), dayOf(item.createdAt)]),
    )
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
  quote(text, [title ?? tool ?? 'the web', title === undefined ? undefined : url, dayOf(createdAt)])

const quoteFile = (file: OpenedFile): string =>
  quoteLines(outlineFile(file), [file.name, dayOf(file.updatedAt)])

const quote = (text: string, about: readonly (string | undefined)[]): string =>
  quoteLines(shorten(text.trim()), about)

function quoteLines(text: string, about: readonly (string | undefined)[]): string {
  const lines = text.split('\n')
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

function shorten(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_QUOTE_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_QUOTE_CHARACTERS - 1).join('')}…`
}
