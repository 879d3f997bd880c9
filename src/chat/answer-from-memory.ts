// An answer without a model: quotes what was recalled, with speaker and date. It makes nothing up and draws no
// conclusions, and says once that no model answered.

import type { Note } from '../domain/note.ts'
import type { Recalled } from '../domain/recall.ts'

export interface MemoryAnswer {
  readonly question: string
  /** A model is configured, but failed. */
  readonly hasModel: boolean
  /** Best first. */
  readonly items: readonly Recalled[]
  /** Web results of this turn. */
  readonly notes: readonly Note[]
  /** Titles of other conversations. */
  readonly titles: ReadonlyMap<string, string>
  readonly currentConversationId: string
}

const MAX_QUOTES = 4
const MAX_QUOTE_CHARACTERS = 400

export function answerFromMemory(answer: MemoryAnswer): string {
  const quotes = [...answer.notes.map(quoteNote), ...quoteItems(answer)].slice(0, MAX_QUOTES)
  return [opening(answer, quotes.length), ...quotes].join('\n\n')
}

function opening({ question, hasModel }: MemoryAnswer, found: number): string {
  const state = hasModel ? 'The language model cannot be reached' : 'No language model is connected'
  if (asks(question)) {
    return found === 0
      ? `${state}, and I found nothing about this in memory.`
      : `${state}. This is what I remember about it:`
  }
  return found === 0 ? `Saved. ${state}, so I cannot reply.` : `Saved. ${state}; this is related:`
}

const ASKING =
  /[?？؟]|^\W*(?:(?:and|but|so|ok|please|hey|hi|hello)\W+)*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|will|would|can|could|should|shall|may|have|has|had|tell|show|give|find|list|name|remind|recall|summari[sz]e|explain|describe|search|look up|compare)\b/iu

/** Whether the text is a question or a command. */
export function asks(text: string): boolean {
  return ASKING.test(text)
}

/** A fact is left out if the message that states it is quoted. */
function quoteItems({ items, titles, currentConversationId }: MemoryAnswer): readonly string[] {
  const said = new Set(items.filter(({ kind }) => kind === 'message').map(({ id }) => id))
  return items
    .filter(({ kind, messageIds }) => kind !== 'fact' || !messageIds.some((id) => said.has(id)))
    .filter((item) => !isBareQuestion(item))
    .map((item) =>
      quote(item.text, [sourceOf(item), placeOf(item, titles, currentConversationId), dayOf(item.createdAt)]),
    )
}

/** The same question asked before is no answer. */
const isBareQuestion = ({ kind, role, text }: Recalled): boolean =>
  kind === 'message' && role === 'user' && /^[^.!?]*\?\s*$/u.test(text.trim())

const quoteNote = ({ text, source: { title, url, tool }, createdAt }: Note): string =>
  quote(text, [title ?? tool ?? 'the web', title === undefined ? undefined : url, dayOf(createdAt)])

function quote(text: string, about: readonly (string | undefined)[]): string {
  const lines = shorten(text.trim()).split('\n')
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
