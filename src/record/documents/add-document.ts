// File in → document with its chunks. Everything that can go wrong with a file goes wrong before anything is written:
// it is read and cut first, and then kept in one transaction. The same content is not read twice.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Document, DocumentText } from '../../domain/document.ts'
import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { AcceptedDocument, Chunked, DocumentKey, DocumentSaved } from '../../store/document-store.ts'
import { acceptConversationId } from '../accept-id.ts'
import type { WorkspaceDeps } from '../record.ts'
import {
  type AcceptedFile,
  acceptDocumentId,
  acceptFile,
  makeDocumentId,
  type NewDocument,
  type ReplacingDocument,
} from './accept-document.ts'
import { cutChunks } from './chunks/cut-chunks.ts'
import { detectFormat } from './detect-format.ts'
import { Pace } from './pace.ts'
import { readDocument } from './read-document.ts'

/** A document, and whether it is new: the same content is not indexed twice. */
export interface SavedDocument extends Document {
  readonly isNew: boolean
}

const toSaved = ({ document, isNew }: DocumentSaved): SavedDocument => ({ ...document, isNew })

export async function addDocument(recorder: WorkspaceDeps, document: NewDocument): Promise<SavedDocument> {
  const { store, workspace, limits, now } = recorder
  const file = await acceptFile(document, limits)
  const id = document.id === undefined ? undefined : acceptDocumentId(document.id, limits)
  const conversation =
    document.conversationId === undefined ? undefined : acceptConversationId(document.conversationId, limits)
  const key = { workspace, document: id ?? makeDocumentId(now()) }
  const attachKnown = async () => {
    const known = await store.findDocumentByContent(workspace, file.contentHash)
    if (known === undefined || (id !== undefined && known.id !== id)) return undefined
    const attached = await attach(recorder, { workspace, document: known.id }, conversation)
    return toSaved({ document: attached, isNew: false })
  }
  const known = await attachKnown()
  if (known !== undefined) return known
  if (id !== undefined) await refuseOther(recorder, key)
  await checkRoom(recorder, conversation)
  const pace = new Pace(definedFields({ onProgress: document.onProgress, signal: document.signal }))
  const accepted = await readAndCut(recorder, file, pace)
  const onChunks = toldBy(pace, accepted)
  try {
    return toSaved(
      await store.addDocument({ ...key, accepted, now: now(), onChunks, ...definedFields({ conversation }) }),
    )
  } catch (error) {
    // Somebody else was quicker with the same file.
    const isOvertaken = isMemoryError(error) && error.code === 'conflict' && id === undefined
    const other = isOvertaken ? await attachKnown() : undefined
    if (other === undefined) throw error
    return other
  }
}

/** Before a large file is read for nothing. The store looks again. */
async function refuseOther({ store }: WorkspaceDeps, key: DocumentKey): Promise<void> {
  if ((await store.findDocument(key)) === undefined) return
  throw new MemoryError('conflict', `there is another document with the id "${key.document}"`, {
    hint: 'replace it with a new version, or add this one under an id of its own',
  })
}

/** A list of documents has an end, as one of tags has. */
async function checkRoom(
  { store, workspace, limits }: WorkspaceDeps,
  conversation: ConversationId | undefined,
): Promise<void> {
  if (conversation === undefined) return
  const { documents = [] } = (await store.findConversation({ workspace, conversation })) ?? {}
  if (documents.length < limits.tags) return
  throw new MemoryError(
    'too-large',
    `${documents.length} documents are attached to "${conversation}"; the most is ${limits.tags}`,
    { hint: 'detach some, or add documents for all conversations: leave out conversationId' },
  )
}

export async function attach(
  recorder: WorkspaceDeps,
  key: DocumentKey,
  conversation: ConversationId | undefined,
): Promise<Document> {
  const document = await recorder.store.findDocument(key)
  const isAttached =
    conversation === undefined ? document?.isWorkspaceWide : document?.conversationIds.includes(conversation)
  if (document !== undefined && isAttached) return document
  await checkRoom(recorder, conversation)
  return recorder.store.attachDocument(key, conversation, recorder.now())
}

export async function replaceDocument(
  recorder: WorkspaceDeps,
  id: string,
  replacement: ReplacingDocument,
): Promise<SavedDocument> {
  const { store, workspace, limits, now } = recorder
  const key = { workspace, document: acceptDocumentId(id, limits) }
  const document = await store.findDocument(key)
  if (document === undefined) {
    throw new MemoryError('not-found', `there is no document "${id}"`, {
      hint: 'list the documents to see their ids, or add it first',
    })
  }
  const file = await acceptFile({ ...replacement, name: replacement.name ?? document.name }, limits)
  const { mediaType } = detectFormat(file)
  const isSame = file.contentHash === document.contentHash && file.name === document.name
  if (isSame && mediaType === document.mediaType) return { ...document, isNew: false }
  const pace = new Pace(definedFields({ onProgress: replacement.onProgress, signal: replacement.signal }))
  const accepted = await readAndCut(recorder, file, pace)
  const onChunks = toldBy(pace, accepted)
  return toSaved(await store.replaceDocument({ ...key, accepted, now: now(), onChunks }))
}

const toldBy =
  (pace: Pace, { chunks }: Chunked) =>
  (done: number): void =>
    pace.tell({ step: 'indexing', done, total: chunks.length })

async function readAndCut(
  recorder: WorkspaceDeps,
  file: AcceptedFile,
  pace: Pace,
): Promise<AcceptedDocument> {
  const { format, mediaType } = detectFormat(file)
  // What is packed may be larger than the file, within reason.
  const mostBytes = recorder.limits.documentBytes * 4
  const { name, content: given, contentHash, bytes } = file
  const content = await readDocument({ name, content: given, format, pace, mostBytes })
  const chunked = await cutDocument(recorder, { name, content, pace })
  return { name, mediaType, format, contentHash, bytes, content, ...chunked }
}

interface ReadDocument {
  readonly name: string
  readonly content: DocumentText
  readonly pace: Pace
}

/** By the options that hold now. */
export async function cutDocument(recorder: WorkspaceDeps, document: ReadDocument): Promise<Chunked> {
  const { rag, limits } = recorder
  const { name, content, pace } = document
  const tokenizer = await recorder.loadTokenizer()
  const { chunks, tokens } = await cutChunks(content, {
    ...rag,
    count: (text) => tokenizer.count(text),
    pace,
  })
  pace.check()
  if (chunks.length <= limits.documentChunks) return { chunks, tokens, tokenizer: tokenizer.name }
  throw new MemoryError(
    'too-large',
    `"${name}" makes ${chunks.length} chunks; the most is ${limits.documentChunks}`,
    { hint: 'split the file, or raise the option limits.documentChunks or rag.chunkSize' },
  )
}
