import { MemoryError } from '../domain/errors.ts'
import type { Note, NoteSource } from '../domain/note.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { acceptMessageIds } from './accept-fact.ts'
import { acceptName } from './accept-id.ts'
import { acceptText } from './accept-json.ts'
import { acceptMoment } from './accept-moment.ts'
import { acceptObject } from './accept-object.ts'

/** A note as the application gives it. */
export interface NewNote {
  readonly text: string
  /** Where it comes from. @default unknown */
  readonly source?: NoteSource
  /** When it was found. @default now */
  readonly createdAt?: Date | string
  /** `null`: never. @default the option notes.expireDays from now, 30 days */
  readonly expiresAt?: Date | string | null
  /** @default none, a note of the whole workspace */
  readonly conversationId?: string
  /** Messages whose words it may hold: it is erased with any of them. @default none */
  readonly messageIds?: readonly string[]
}

interface NoteRules {
  readonly limits: ResolvedLimits
  readonly expireDays: number
  readonly now: Date
}

const FIELDS = ['text', 'source', 'createdAt', 'expiresAt', 'conversationId', 'messageIds'] as const
const SOURCE_FIELDS = ['tool', 'url', 'title'] as const
const DAY_MS = 86_400_000
/** What browsers and servers take without trouble. */
const MOST_URL_CHARACTERS = 2048

export function acceptNote(note: NewNote, rules: NoteRules): Omit<Note, 'id' | 'conversationId'> {
  acceptObject(note, { what: 'a note', fields: FIELDS })
  const { limits, now } = rules
  const expiresAt = acceptExpiry(note.expiresAt, rules)
  return {
    text: acceptNoteText(note.text, limits),
    source: note.source === undefined ? {} : acceptSource(note.source, limits),
    createdAt: note.createdAt === undefined ? now : acceptMoment(note.createdAt, 'createdAt'),
    ...(expiresAt !== undefined && { expiresAt }),
    messageIds: acceptMessageIds(note.messageIds, limits),
  }
}

function acceptNoteText(text: unknown, { noteCharacters }: ResolvedLimits): string {
  if (typeof text !== 'string' || text.trim() === '')
    throw new MemoryError('invalid-input', 'the text of a note must be a text that is not empty')
  acceptText(text, 'the text of a note')
  if (text.length <= noteCharacters) return text
  throw new MemoryError('too-large', `a note has ${text.length} characters; the most is ${noteCharacters}`, {
    hint: 'keep an excerpt and give the url, or raise the option limits.noteCharacters',
  })
}

function acceptSource(source: unknown, limits: ResolvedLimits): NoteSource {
  acceptObject(source, { what: 'the source of a note', fields: SOURCE_FIELDS })
  const { tool, url, title } = source as NoteSource
  return {
    ...(tool !== undefined && {
      tool: acceptName(tool, { what: 'the tool of a note', most: limits.idCharacters }),
    }),
    ...(url !== undefined && { url: acceptUrl(url) }),
    ...(title !== undefined && {
      title: acceptName(title, { what: 'the title of a note', most: limits.titleCharacters }),
    }),
  }
}

/** Only addresses that can be shown as a link without harm. */
function acceptUrl(value: unknown): string {
  const url = acceptName(value, { what: 'the url of a note', most: MOST_URL_CHARACTERS })
  if (/^https?:\/\/[^\s]+$/i.test(url) && URL.canParse(url)) return url
  throw new MemoryError('invalid-input', `the url of a note is no web address: ${url}`, {
    hint: 'it begins with http:// or https://',
  })
}

function acceptExpiry(expiresAt: unknown, { expireDays, now }: NoteRules): Date | undefined {
  if (expiresAt === null) return undefined
  if (expiresAt === undefined)
    return expireDays === 0 ? undefined : new Date(now.getTime() + expireDays * DAY_MS)
  const moment = acceptMoment(expiresAt, 'expiresAt')
  if (moment > now) return moment
  throw new MemoryError('invalid-input', `the note would have expired at ${moment.toISOString()}`, {
    hint: 'give a later expiresAt, or null for a note that stays',
  })
}
