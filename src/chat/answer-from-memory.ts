// An answer without a model: what was recalled, word for word, with who said it and when. It makes nothing up and
// draws no conclusions; it says plainly that no model is there, once, and then gets to the matter.

import type { Note } from '../domain/note.ts'
import type { Recalled } from '../domain/recall.ts'

export interface MemoryTold {
  readonly question: string
  /** There is one, and it failed. */
  readonly hasModel: boolean
  /** Best first. */
  readonly items: readonly Recalled[]
  /** What the web said just now. */
  readonly notes: readonly Note[]
  /** Titles of other conversations. */
  readonly titles: ReadonlyMap<string, string>
  readonly currentConversationId: string
}

/** What can be read at a glance. */
const MOST_ITEMS = 4
const LONGEST_QUOTE = 400

export function answerFromMemory(told: MemoryTold): string {
  const quotes = [...told.notes.map(quoteNote), ...quoteItems(told)].slice(0, MOST_ITEMS)
  return [opening(told, quotes.length), ...quotes].join('\n\n')
}

function opening({ question, hasModel }: MemoryTold, found: number): string {
  const state = hasModel ? 'The language model cannot be reached' : 'No language model is connected'
  if (asks(question)) {
    return found === 0
      ? `${state}, and I found nothing about this in memory.`
      : `${state}. This is what I remember about it:`
  }
  return found === 0 ? `Kept. ${state}, so I only take note.` : `Kept. ${state}; this belongs to it:`
}

const ASKING =
  /[?？؟]|^\W*(?:(?:and|but|so|ok|please|hey|hi|hello)\W+)*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|will|would|can|could|should|shall|may|have|has|had|tell|show|give|find|list|name|remind|recall|summari[sz]e|explain|describe|search|look up|compare)\b/iu

/** Whether something is asked or ordered; what is said only to be known is not. */
export function asks(text: string): boolean {
  return ASKING.test(text)
}

/** A fact is told by the message that says so, where that is there. */
function quoteItems({ items, titles, currentConversationId }: MemoryTold): readonly string[] {
  const said = new Set(items.filter(({ kind }) => kind === 'message').map(({ id }) => id))
  return items
    .filter(({ kind, messageIds }) => kind !== 'fact' || !messageIds.some((id) => said.has(id)))
    .filter((item) => !isBareQuestion(item))
    .map((item) =>
      quote(item.text, [sourceOf(item), placeOf(item, titles, currentConversationId), dayOf(item.createdAt)]),
    )
}

/** Who asked the same before has no answer to it. */
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
  return characters.length <= LONGEST_QUOTE ? text : `${characters.slice(0, LONGEST_QUOTE - 1).join('')}…`
}
