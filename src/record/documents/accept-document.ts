import { MemoryError } from '../../domain/errors.ts'
import { type DocumentId, documentId, newId } from '../../domain/ids.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import { acceptName } from '../accept-id.ts'
import { acceptObject } from '../accept-object.ts'
import type { OnDocumentProgress } from './pace.ts'

/** A new version of a document. */
export interface DocumentContent {
  /** The file: a text, or its bytes. PDF and DOCX are bytes. */
  readonly content: string | Uint8Array
  /** @default told by the ending of the name, else by how the content begins */
  readonly mediaType?: string
  /** Told what is being done, and how far it is. */
  readonly onProgress?: OnDocumentProgress
  /** Calls it off: nothing is written. */
  readonly signal?: AbortSignal
}

/** A file as the application hands it in. */
export interface NewDocument extends DocumentContent {
  /** What it is called; its ending may tell what it is. */
  readonly name: string
  /** Adding the same file under the same id again changes nothing. @default made */
  readonly id?: string
  /** Attached to it; it is made if it is missing. @default none, a document for every conversation */
  readonly conversationId?: string
}

/** What to replace a document with. */
export interface ReplacingDocument extends DocumentContent {
  /** @default the name that it has */
  readonly name?: string
}

const FIELDS = ['name', 'content', 'mediaType', 'id', 'conversationId', 'onProgress', 'signal']

export interface AcceptedFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly mediaType: string | undefined
  /** SHA-256 of its bytes. */
  readonly contentHash: string
  readonly bytes: number
}

/** A file, checked from the outside. */
export async function acceptFile(
  given: Omit<NewDocument, 'id' | 'conversationId'>,
  limits: ResolvedLimits,
): Promise<AcceptedFile> {
  acceptObject(given, { what: 'a document', fields: FIELDS })
  const name = acceptName(given.name, { what: 'the name of a document', most: limits.titleCharacters })
  const { content } = given
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    throw new MemoryError('invalid-input', 'the content of a document must be a text or a Uint8Array', {
      hint: 'read the file first: content: await readFile(path)',
    })
  }
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  if (bytes.length > limits.documentBytes) throw tooLarge(name, bytes.length, limits)
  const mediaType = given.mediaType === undefined ? undefined : acceptMediaType(given.mediaType, limits)
  return { name, content, mediaType, contentHash: await hashOf(bytes), bytes: bytes.length }
}

const tooLarge = (name: string, bytes: number, { documentBytes }: ResolvedLimits): MemoryError =>
  new MemoryError('too-large', `"${name}" has ${bytes} bytes; the most is ${documentBytes}`, {
    hint: 'split the file, or raise the option limits.documentBytes',
  })

const acceptMediaType = (value: unknown, { idCharacters }: ResolvedLimits): string =>
  acceptName(value, { what: 'the media type of a document', most: idCharacters })

export function acceptDocumentId(value: unknown, { idCharacters }: ResolvedLimits): DocumentId {
  return documentId(acceptName(value, { what: 'a document id', most: idCharacters }))
}

export const makeDocumentId = (now: Date): DocumentId => documentId(newId(now))

async function hashOf(bytes: Uint8Array): Promise<string> {
  // Without the copy, memory that is shared between threads would be refused.
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
