declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** The tenant: a person or a team. */
export type WorkspaceId = Branded<'workspace'>
/** Chosen by the application; unique within its workspace. */
export type ConversationId = Branded<'conversation'>
/** Given by the client or generated on arrival; unique within its workspace. */
export type MessageId = Branded<'message'>
/** Chosen by the application; a page and a conversation with the same id belong together. */
export type PageId = Branded<'page'>
/** Given by the client or generated on arrival; unique within its workspace. */
export type QueryId = Branded<'query'>
/** Given by the client or generated on arrival; unique within its workspace. */
export type DocumentId = Branded<'document'>

/** One conversation of one workspace. */
export interface ConversationKey {
  readonly workspace: WorkspaceId
  readonly conversation: ConversationId
}

export const workspaceId = (text: string): WorkspaceId => text as WorkspaceId
export const conversationId = (text: string): ConversationId => text as ConversationId
export const messageId = (text: string): MessageId => text as MessageId
export const pageId = (text: string): PageId => text as PageId
export const queryId = (text: string): QueryId => text as QueryId
export const documentId = (text: string): DocumentId => text as DocumentId

/** Single users never see workspaces: theirs has this name. */
export const DEFAULT_WORKSPACE: WorkspaceId = workspaceId('default')

// Crockford's base 32: no letters that look like digits.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A new id of 26 characters: 48 bits of time, then 80 random bits. Ids created one after the other sort
 * together, so that an index on them grows at its end.
 */
export function newId(now: Date): string {
  for (let i = 0; i < codes.length; i++) codes[i] = DIGITS.charCodeAt(randomByte() % 32)
  return timeDigits(now.getTime()) + String.fromCharCode(...codes)
}

/** Reused buffer for the characters of an id. */
const codes: number[] = Array(16).fill(0)

let lastTime = Number.NaN
let lastDigits = ''

/** Cached: ids are often created many at a time. */
function timeDigits(time: number): string {
  if (time === lastTime) return lastDigits
  lastTime = time
  lastDigits = ''
  for (let rest = time, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) {
    lastDigits = DIGITS.charAt(rest % 32) + lastDigits
  }
  return lastDigits
}

// Getting a few random bytes costs as much as getting thousands.
const pool = new Uint8Array(4096)
let used = pool.length

function randomByte(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  return pool[used++] as number
}

/** The kinds of objects that a vector store holds vectors of. */
export type VectorKind = 'message' | 'summary' | 'fact' | 'note' | 'chunk'

/**
 * The id of a vector. It includes a digest of the text, so that a changed text has another id. Messages never
 * change.
 */
export const toVectorId = (kind: VectorKind, id: string, digest = ''): string => `${kind}:${id}:${digest}`

export function readVectorId(text: string): { readonly kind: string; readonly id: string } {
  const [first, last] = [text.indexOf(':'), text.lastIndexOf(':')]
  return { kind: text.slice(0, first), id: text.slice(first + 1, Math.max(first + 1, last)) }
}
