// File in → document with its chunks. A file is read and split first and then stored in one transaction, so a bad file
// fails before anything is written. Content that is already stored is not read again.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Document, DocumentText } from '../../domain/document.ts'
import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import { type ConversationId, type DocumentId, documentId, newId } from '../../domain/ids.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import type { AcceptedDocument, Chunked, DocumentKey, DocumentSaved } from '../../store/document-store.ts'
import { readDocuments } from '../../store/read-pages.ts'
import { acceptConversationId, acceptName, acceptObject } from '../accept.ts'
import type { WorkspaceDeps } from '../record.ts'
import { cutChunks } from './chunks/cut-chunks.ts'
import { type OnDocumentProgress, Pace } from './pace.ts'
import { detectFormat, readDocument } from './read-document.ts'

/** A document, and whether it is new: identical content is indexed once. */
export interface SavedDocument extends Document {
  readonly isNew: boolean
}

const toSaved = ({ document, isNew }: DocumentSaved): SavedDocument => ({ ...document, isNew })

export async function addDocument(deps: WorkspaceDeps, document: NewDocument): Promise<SavedDocument> {
  const { store, workspace, limits, now } = deps
  const file = await acceptFile(document, limits)
  const id = document.id === undefined ? undefined : acceptDocumentId(document.id, limits)
  const conversation =
    document.conversationId === undefined ? undefined : acceptConversationId(document.conversationId, limits)
  const key = { workspace, document: id ?? makeDocumentId(now()) }
  const attachKnown = async () => {
    const known = await store.findDocumentByContent(workspace, file.contentHash)
    if (known === undefined || (id !== undefined && known.id !== id)) return undefined
    const attached = await attach(deps, { workspace, document: known.id }, conversation)
    return toSaved({ document: attached, isNew: false })
  }
  const known = await attachKnown()
  if (known !== undefined) return known
  if (id !== undefined) await rejectTakenId(deps, key)
  await checkRoom(deps, conversation)
  const pace = new Pace(definedFields({ onProgress: document.onProgress, signal: document.signal }))
  const accepted = await readAndSplit(deps, file, pace)
  const onChunks = chunkProgress(pace, accepted)
  try {
    return toSaved(
      await store.addDocument({ ...key, accepted, now: now(), onChunks, ...definedFields({ conversation }) }),
    )
  } catch (error) {
    // Another writer added the same file in the meantime.
    const isDuplicate = isMemoryError(error) && error.code === 'conflict' && id === undefined
    const other = isDuplicate ? await attachKnown() : undefined
    if (other === undefined) throw error
    return other
  }
}

/** Fails early, before a large file is read. The store checks again. */
async function rejectTakenId({ store }: WorkspaceDeps, key: DocumentKey): Promise<void> {
  if ((await store.findDocument(key)) === undefined) return
  throw new MemoryError('conflict', `a different document already has the id "${key.document}"`, {
    hint: 'replace it with a new version, or use another id',
  })
}

/** A conversation has at most as many documents as tags. */
async function checkRoom(
  { store, workspace, limits }: WorkspaceDeps,
  conversation: ConversationId | undefined,
): Promise<void> {
  if (conversation === undefined) return
  const { documents = [] } = (await store.findConversation({ workspace, conversation })) ?? {}
  if (documents.length < limits.tags) return
  throw new MemoryError(
    'too-large',
    `${documents.length} documents are already attached to "${conversation}"; the maximum is ${limits.tags}`,
    { hint: 'detach some, or omit conversationId to add the document for all conversations' },
  )
}

export async function attach(
  deps: WorkspaceDeps,
  key: DocumentKey,
  conversation: ConversationId | undefined,
): Promise<Document> {
  const document = await deps.store.findDocument(key)
  const isAttached =
    conversation === undefined ? document?.isWorkspaceWide : document?.conversationIds.includes(conversation)
  if (document !== undefined && isAttached) return document
  await checkRoom(deps, conversation)
  return deps.store.attachDocument(key, conversation, deps.now())
}

export async function replaceDocument(
  deps: WorkspaceDeps,
  id: string,
  replacement: ReplacingDocument,
): Promise<SavedDocument> {
  const { store, workspace, limits, now } = deps
  const key = { workspace, document: acceptDocumentId(id, limits) }
  const document = await store.findDocument(key)
  if (document === undefined) {
    throw new MemoryError('not-found', `document "${id}" not found`, {
      hint: 'list the documents to see their ids',
    })
  }
  const file = await acceptFile({ ...replacement, name: replacement.name ?? document.name }, limits)
  const { mediaType } = detectFormat(file)
  const isSame = file.contentHash === document.contentHash && file.name === document.name
  if (isSame && mediaType === document.mediaType) return { ...document, isNew: false }
  const pace = new Pace(definedFields({ onProgress: replacement.onProgress, signal: replacement.signal }))
  const accepted = await readAndSplit(deps, file, pace)
  const onChunks = chunkProgress(pace, accepted)
  return toSaved(await store.replaceDocument({ ...key, accepted, now: now(), onChunks }))
}

const chunkProgress =
  (pace: Pace, { chunks }: Chunked) =>
  (done: number): void =>
    pace.report({ step: 'indexing', done, total: chunks.length })

async function readAndSplit(deps: WorkspaceDeps, file: AcceptedFile, pace: Pace): Promise<AcceptedDocument> {
  const { format, mediaType } = detectFormat(file)
  // Decompressed content may be larger than the file, up to this factor.
  const maxBytes = deps.limits.documentBytes * 4
  const { name, content: given, contentHash, bytes } = file
  const content = await readDocument({ name, content: given, format, pace, maxBytes })
  const chunked = await cutDocument(deps, { name, content, pace })
  return { name, mediaType, format, contentHash, bytes, content, ...chunked }
}

interface ReadDocument {
  readonly name: string
  readonly content: DocumentText
  readonly pace: Pace
}

/** Splits by the current options. */
export async function cutDocument(deps: WorkspaceDeps, document: ReadDocument): Promise<Chunked> {
  const { rag, limits } = deps
  const { name, content, pace } = document
  const tokenizer = await deps.loadTokenizer()
  const { chunks, tokens } = await cutChunks(content, {
    ...rag,
    count: (text) => tokenizer.count(text),
    pace,
  })
  pace.check()
  if (chunks.length <= limits.documentChunks) return { chunks, tokens, tokenizer: tokenizer.name }
  throw new MemoryError(
    'too-large',
    `"${name}" splits into ${chunks.length} chunks; the maximum is ${limits.documentChunks}`,
    { hint: 'split the file, or raise the option rag.chunkSize' },
  )
}

/** Splits every document of every workspace again, by the current options. */
export async function rechunkDocuments(
  deps: WorkspaceDeps,
  onChunks: (done: number) => void = () => undefined,
): Promise<void> {
  const { store } = deps
  let done = 0
  for (const workspace of await store.listWorkspaces()) {
    for await (const document of readDocuments(store, { workspace })) {
      await rechunk(deps, { workspace, document: document.id }, document)
      done += document.chunkCount
      onChunks(done)
    }
  }
}

async function rechunk(deps: WorkspaceDeps, key: DocumentKey, { name, version }: Document): Promise<void> {
  const content = await readText(deps, key)
  if (content === undefined) return
  const chunked = await cutDocument(deps, { name, content, pace: new Pace() })
  await deps.store.saveChunks(key, version, chunked)
}

/** If the text is damaged, its chunks are kept unchanged; the integrity check reports the damage. */
async function readText({ store }: WorkspaceDeps, key: DocumentKey) {
  try {
    return await store.documentText(key)
  } catch (error) {
    if (isMemoryError(error) && error.code === 'store-damaged') return undefined
    throw error
  }
}

/** A new version of a document. */
interface DocumentContent {
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
  /** The file name; its extension may determine the format. */
  readonly name: string
  /** Adding the same file under the same id again changes nothing. @default made */
  readonly id?: string
  /** Attached to it; it is made if it is missing. @default none, a document for every conversation */
  readonly conversationId?: string
  /** It becomes the active file of this page. @default the pages of the conversation */
  readonly pageId?: string
}

/** What to replace a document with. */
export interface ReplacingDocument extends DocumentContent {
  /** @default the name that it has */
  readonly name?: string
}

const FIELDS = ['name', 'content', 'mediaType', 'id', 'conversationId', 'pageId', 'onProgress', 'signal']

interface AcceptedFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly mediaType: string | undefined
  /** SHA-256 of its bytes. */
  readonly contentHash: string
  readonly bytes: number
}

/** A file, checked from the outside. */
async function acceptFile(
  given: Omit<NewDocument, 'id' | 'conversationId' | 'pageId'>,
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

const makeDocumentId = (now: Date): DocumentId => documentId(newId(now))

async function hashOf(bytes: Uint8Array): Promise<string> {
  // Without the copy, memory that is shared between threads would be refused.
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
