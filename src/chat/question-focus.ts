// Whether memory can answer a question at all, by its form: what it asks for ("which *monitoring tool*", "Renske's *phone
// number*") has to occur somewhere, or the answer has to have its type (a number for "how many"). Without a model a wrong
// quote is worse than none. Six languages; a question in another one is taken as answerable.

import { languageOfText } from '../domain/function-words.ts'
import type { Recalled, SearchedWord } from '../domain/recall.ts'
import { isSubjectWord } from '../domain/subject-words.ts'
import { listWords } from '../domain/words.ts'
import { askedWords, coverageOf, evidenceOf, hasWord, presenceOf } from './asked-words.ts'

const AUXILIARY =
  "is|are|was|were|'s|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|am|to"

/** Patterns whose first group is what is asked for. In English its last word is the noun, elsewhere its first. */
const ENGLISH: readonly RegExp[] = [
  // Whose it is: "What is my aunt's name?"
  /\b(?:my|our)\s+([\p{L}-]+)['’]s\s/iu,
  new RegExp(
    `\\b(?:what|which|whose)\\s+(?!(?:${AUXILIARY})\\b)((?:[\\p{L}-]+\\s+){0,3}?[\\p{L}-]+)\\s+(?:${AUXILIARY})\\b`,
    'iu',
  ),
  /\bwhat(?:['’]s| is| are| was| were)\s+(?:(?:the |my |our )?[\p{L}-]+['’]s|the|my|our|your|his|her|their)\s+((?:[\p{L}-]+\s+){0,2}?[\p{L}-]+)(?=\s+(?:of|on|in|for|at|to|with|from|we|i|that|which|now|again)\b|\s*[?.!]|\s*$)/iu,
  new RegExp(
    `\\bhow (?:many|much)\\s+(?!(?:${AUXILIARY})\\b)((?:[\\p{L}-]+\\s+){0,2}?[\\p{L}-]+)\\s+(?:${AUXILIARY})\\b`,
    'iu',
  ),
  // Whether there is one: "Do we have a ladder?"
  /^(?:do|does|did|is|are|was|were|has|have|had)\b[^?]*?\s(?:an?|any)\s+((?:[\p{L}-]+\s+){0,2}?[\p{L}-]+)(?=\s+(?:of|on|in|for|at|to|with|from|yet|already|here|there)\b|\s*[?.!]|\s*$)/iu,
  /\bwhat did\s+[\p{L}-]+['’]s\s+((?:[\p{L}-]+\s+){0,2}?[\p{L}-]+)\s+cost\b/iu,
]
const OTHERS: readonly RegExp[] = [
  // Whether there is one: "Haben wir eine Leiter?"
  /^(?!w)\p{L}+\s[^?]*?(?<!\p{L})(?:k?ein|k?eine[nmr]?)\s+(\p{Lu}\p{L}+)/u,
  /^¿?(?:hay|tiene[sn]?|tengo|tenemos|há|tem|temos|tenho|c['’]è|ho|hai|abbiamo|il y a|y a-t-il|avons-nous|as-tu)\s+(?:una?|uma?|une|des)\s+(\p{L}+)/iu,
  /(?<!\p{L})welche[rsnm]?\s+(\p{L}+)/iu,
  /(?<!\p{L})was (?:ist|sind|war|waren) (?:die|der|das|mein\w*|unser\w*|dein\w*)\s+(\p{L}+)/iu,
  /(?<!\p{L})wie viele?\s+(\p{Lu}\p{L}+)/u,
  /(?<!\p{L})(?:de )?qué\s+(\p{L}+)\s+(?:es|son|era|tiene|tengo|tenemos|hay)/iu,
  /(?<!\p{L})cuál(?:es)? (?:es|son|era|fue) (?:el|la|los|las|mi|mis|nuestr[oa]s?|su)\s+(\p{L}+)/iu,
  /(?<!\p{L})cuánt[oa]s\s+(\p{L}+)/iu,
  /(?<!\p{L})quel(?:le|s|les)?\s+(?:(?:est|sont|était)\s+)?(?:(?:le|la|les|mon|ma|mes|notre|nos)\s+)?(\p{L}{3,})/iu,
  /(?<!\p{L})combien d(?:e\s+|['’])(\p{L}+)/iu,
  /(?<!\p{L})qual\s+(?:(?:é|era|foi)\s+)?(?:(?:o|a|meu|minha|nosso|nossa)\s+)?(\p{L}{3,})/iu,
  /(?<!\p{L})quant[oa]s\s+(\p{L}+)/iu,
  /(?<!\p{L})qual(?:e|i|['’])?\s*(?:(?:è|era|sono)\s+)?(?:(?:il|la|lo|i|le|mio|mia|nostr[oa])\s+)?(\p{L}{3,})/iu,
  /(?<!\p{L})che\s+(\p{L}+)\s+(?:ho|avevo|abbiamo|è|era|c['’]è)/iu,
]

/** Nouns that say of which type an answer is. Messages seldom contain them: nobody writes "the date is". */
const TYPE_NOUNS: ReadonlySet<string> = new Set(
  `thing things kind kinds type types sort way ways reason reasons day days date dates time times hour hours week weeks
   month months year years place places name names number numbers part parts role roles problem problems plan plans rule
   rules change changes person people amount price prices cost costs size version share piece city country language color
   colour word words book title idea ideas else relative medicine clothes clothing food style feature everything
   length height weight material shape
   tag datum uhrzeit zeit grund name nummer ort stadt art preis zimmer personen leute farbe farben große lange hohe
   gewicht form stadtteil firma sprache sorte
   dia fecha hora motivo nombre numero lugar ciudad tipo precio cosa problema cambios profesionales material persona
   color colores tamano talla altura peso forma empresa idioma
   jour date heure raison nom numero lieu ville prix chose personne couleur taille hauteur poids forme entreprise langue
   data motivo nome numero lugar cidade tipo preco coisa pessoa empresa cor cores tamanho altura peso forma lingua
   giorno data ora motivo nome numero luogo citta tipo prezzo cosa persona problema disturbo colore colori taglia
   altezza peso forma ditta lingua`.split(/\s+/),
)

const GERMAN =
  /(?<!\p{L})(?:der|die|das|ist|wie|was|wer|wann|wo|welche\w*|ich|wir|ein|eine|für|und)(?!\p{L})/iu
/** Not "the American provider": what follows an article may be an adjective. */
const NAME = /(?<=[\p{L}\p{N},]\s)(?:(?<!(?:the|a|an)\s)\p{Lu}[\p{Ll}-]{2,}|\p{Lu}{2,}(?!\p{L}))/gu

const PHONE =
  /(?<!\p{L})(?:phone|telephone|mobile|handynummer|telefon\w*|teléfono|telefone|celular|téléphone|cellulare)(?!\p{L})/iu
const PHONE_NUMBER = /\d[\d\s()./-]{4,}\d/
const EMAIL = /(?<!\p{L})(?:e-?mail(?: address)?|mail-?adresse|correo electrónico)(?!\p{L})/iu
const HOW_MANY =
  /(?<!\p{L})(?:how (?:many|much|old|long|far|heavy|big)|wie ?viele?|wie (?:alt|lang|hoch|groß|schwer)|cuánt[oa]s?|combien|quant[oai]s?|quant[ei])(?!\p{L})/iu
const NUMBER =
  /\p{N}|(?<!\p{L})(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|half|ein\w*|zwei|drei|vier|fünf|dos|tres|cuatro|cinco|deux|trois|quatre|cinq|dois|duas|três|due|tre|quattro|cinque)(?!\p{L})/iu

export interface Evidence {
  /** The words that were searched for, with the number of messages that have them. */
  readonly words: readonly SearchedWord[]
  readonly items: readonly Recalled[]
}

/** The items that can answer the question; none if what it asks for occurs nowhere. */
export function answeringItems(question: string, { words, items }: Evidence): readonly Recalled[] {
  if (PHONE.test(question)) return aboutAName(question, items).filter(({ text }) => PHONE_NUMBER.test(text))
  if (EMAIL.test(question)) return items.filter(({ text }) => text.includes('@'))
  if (asksForUnknown(question, { words, items }) || !connectsName(question, items)) return []
  if (!hasAnyWord(question, items)) return []
  if (HOW_MANY.test(question)) return orderByWords(question, aboutTheCounted(question, { words, items }))
  const fitting = WHEN.test(question)
    ? items.filter(({ text }) => TIME.test(text) || NUMBER.test(text))
    : items
  return orderByWords(question, fitting)
}

/** Any number fits "how many": the item has to be about what is counted. */
const MIN_COUNTED = 0.3

function aboutTheCounted(question: string, { words, items }: Evidence): readonly Recalled[] {
  const counted = askedWords(question.replace(HOW_MANY, ' ')).filter(isSubjectWord)
  return items.filter((item) => NUMBER.test(item.text) && evidenceOf(item, counted, words) >= MIN_COUNTED)
}

/** From this share of the question's words on, an item is taken to be about the question. */
const CLEAR_EVIDENCE = 0.5

/** If one item is clearly about the question, those that share no word with it are left out. */
export function withoutPadding(question: string, { words, items }: Evidence): readonly Recalled[] {
  const asked = askedWords(question).filter(isSubjectWord)
  const isClear = items.some((item) => evidenceOf(item, asked, words) >= CLEAR_EVIDENCE)
  if (asked.length === 0 || !isClear) return items
  return items.filter(
    (item) => isUpdate(item) || asked.some((word) => presenceOf(word, item) >= MIN_PRESENCE),
  )
}

const WHEN =
  /(?<!\p{L})(?:when|what (?:date|day|time)|which (?:date|day)|wann|welche[mnrs]? (?:tag|datum)|cuándo|quand|quando)(?!\p{L})/iu
const TIME =
  /\p{N}|(?<!\p{L})(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?<!\p{L})(?:january|february|march|april|may|june|july|august|september|october|november|december|today|tomorrow|yesterday|week|month|year|morning|evening|spring|summer|autumn|winter|noon|midnight|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|mai|juni|juli|oktober|dezember|heute|morgen|gestern|woche|monat|jahr|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|hoy|mañana|ayer|semana|mes|año|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|demain|hier|semaine|mois|segunda|terça|quarta|quinta|sexta|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|hoje|amanhã|ontem|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|oggi|domani|ieri|settimana|mese|anno)(?!\p{L})/iu

/** What a full match of the question's words is worth beside the rank of recall. */
const WORDS_WEIGHT = 0.1

function orderByWords(question: string, items: readonly Recalled[]): readonly Recalled[] {
  const asked = askedWords(question)
  const value = (item: Recalled): number =>
    item.score + WORDS_WEIGHT * (isUpdate(item) ? 1 : coverageOf(`${item.source ?? ''} ${item.text}`, asked))
  return items.toSorted((one, other) => value(other) - value(one))
}

/** Synonyms and similar meanings are known in English only: elsewhere, what shares no word with the question is a guess. */
function hasAnyWord(question: string, items: readonly Recalled[]): boolean {
  const language = languageOfText(question)
  if (language === undefined || language === 'en') return true
  return items.some(
    (item) => isUpdate(item) || askedWords(question).some((word) => presenceOf(word, item) >= MIN_PRESENCE),
  )
}

/** It replaces a message that has the words. */
const isUpdate = ({ why }: Recalled): boolean => why.some(({ signal }) => signal === 'update')

const aboutAName = (question: string, items: readonly Recalled[]): readonly Recalled[] => {
  const names = namesIn(question)
  return items.filter(({ text, source = '' }) => names.every((name) => hasWord(`${source} ${text}`, name)))
}

/** Names within the question, folded. Nouns are capitalized in German. */
export const namesIn = (question: string): readonly string[] =>
  GERMAN.test(question) ? [] : (question.match(NAME) ?? []).flatMap(listWords)

/** "Ana's job": something has to be said about Ana and a job, together. */
function connectsName(question: string, items: readonly Recalled[]): boolean {
  const names = namesIn(question)
  const asked = askedWords(question).filter(
    (word) => isSubjectWord(word) && !(names.includes(word) || TYPE_NOUNS.has(word)),
  )
  if (names.length === 0 || asked.length === 0) return true
  return items.some((item) => {
    const text = `${item.source ?? ''} ${item.text}`
    const covered = asked.filter((word) => presenceOf(word, item) >= MIN_PRESENCE).length
    return names.some((name) => hasWord(text, name)) && covered > asked.length * MIN_CONNECTED
  })
}

/** In the text, or in another form that recall found. */
const MIN_PRESENCE = 0.5
const MIN_CONNECTED = 0.5

function asksForUnknown(question: string, { words, items }: Evidence): boolean {
  const isUnknown = (word: string): boolean =>
    words.some((searched) => searched.word === word && searched.messages === 0) &&
    !items.some(({ why }) => why.some(({ signal, text }) => signal === 'words' && text.includes(`"${word}"`)))
  const focus = focusOf(question)
  if (focus !== undefined && isUnknown(focus)) return true
  return namesIn(question).some(isUnknown)
}

/** The noun that is asked for, folded like the words of the index; undefined if only a type is. */
export function focusOf(question: string): string | undefined {
  for (const pattern of ENGLISH) {
    const found = pattern.exec(question)?.[1]
    // "Shoe size" asks for a size, but it is the shoe that somebody has to have mentioned.
    if (found !== undefined) return listWords(found).findLast((word) => !TYPE_NOUNS.has(word))
  }
  for (const pattern of OTHERS) {
    const found = pattern.exec(question)?.[1]
    if (found !== undefined) return listWords(found).find((word) => !TYPE_NOUNS.has(word))
  }
  return undefined
}
