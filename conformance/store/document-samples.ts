// Documents with defaults for everything a case does not care about.

import assert from 'node:assert/strict'
import {
  type AcceptedDocument,
  type ChunkLookup,
  type ConversationId,
  conversationId,
  type Document,
  type DocumentAddition,
  type DocumentKey,
  type DocumentSaved,
  documentId,
  type NewChunk,
  type PlacedChunk,
  type Store,
  type WorkspaceId,
} from 'recollect/store'
import { at, HERE } from './samples.ts'

/** More than any case writes. */
const EVERYTHING = 100_000

export function aDocumentKey(document: string, workspace: WorkspaceId = HERE): DocumentKey {
  return { workspace, document: documentId(document) }
}

/** Paragraphs, each one chunk that repeats the last word of the previous one. */
export function aDocument(
  paragraphs: readonly string[],
  more: Partial<AcceptedDocument> = {},
): AcceptedDocument {
  const text = paragraphs.join('\n')
  let start = 0
  const chunks = paragraphs.map((words, index): NewChunk => {
    const end = Math.min(start + words.length + 1, text.length)
    const chunk = {
      index,
      headingPath: ['Book', `Part ${index}`],
      text: words,
      tokens: 2 + words.length,
      start,
      end,
    }
    start = end
    return chunk
  })
  const blocks = [
    { kind: 'heading', start: 0, end: 0, level: 1, title: 'Book' },
    ...chunks.map((chunk) => ({ kind: 'paragraph' as const, start: chunk.start, end: chunk.end })),
  ] as const
  return {
    name: `${paragraphs[0]?.split(' ')[0] ?? 'empty'}.md`,
    mediaType: 'text/markdown',
    format: 'markdown',
    contentHash: `hash of ${text}`,
    bytes: text.length * 2,
    content: { text, blocks },
    chunks,
    tokens: text.length,
    tokenizer: 'sample',
    ...more,
  }
}

type Added = Partial<Omit<DocumentAddition, 'conversation'>> & { readonly conversation?: string }

/** Adds a document with these paragraphs. */
export function addDocument(
  store: Store,
  key: DocumentKey,
  paragraphs: readonly string[],
  { conversation, ...more }: Added = {},
): Promise<DocumentSaved> {
  return store.addDocument({
    ...key,
    accepted: aDocument(paragraphs),
    now: at(1),
    ...(conversation !== undefined && { conversation: conversationId(conversation) }),
    ...more,
  })
}

export function replaceDocument(
  store: Store,
  key: DocumentKey,
  paragraphs: readonly string[],
  more: Partial<AcceptedDocument> = {},
): Promise<DocumentSaved> {
  return store.replaceDocument({ ...key, accepted: aDocument(paragraphs, more), now: at(7) })
}

export async function needDocument(store: Store, key: DocumentKey): Promise<Document> {
  const document = await store.findDocument(key)
  assert.ok(document, `the document "${key.document}" is not there`)
  return document
}

/** Chunks that have all the words, highest locator first. */
export async function findChunks(
  store: Store,
  words: string,
  more: Partial<Omit<ChunkLookup, 'conversations' | 'documents'>> & {
    readonly conversations?: readonly string[]
    readonly documents?: readonly string[]
  } = {},
): Promise<readonly PlacedChunk[]> {
  const { conversations, documents, ...rest } = more
  const lookup: ChunkLookup = {
    workspace: HERE,
    limit: 100,
    allOf: words === '' ? [] : words.split(' ').map((word) => [word]),
    ...rest,
    ...(conversations !== undefined && { conversations: conversations as readonly ConversationId[] }),
    ...(documents !== undefined && { documents: documents.map(documentId) }),
  }
  const { locators } = await store.findChunkPlaces(lookup)
  return store.chunksAt(lookup.workspace, locators)
}

/** The texts of the chunks that were found. */
export async function findTexts(...search: Parameters<typeof findChunks>): Promise<readonly string[]> {
  return (await findChunks(...search)).map(({ text }) => text)
}

/** Everything that can be read about the documents of a workspace. */
export async function readDocuments(store: Store, workspace: WorkspaceId = HERE): Promise<unknown> {
  const { items } = await store.listDocuments({ workspace, limit: EVERYTHING })
  return Promise.all(
    items.map(async (document) => {
      const key = { workspace, document: document.id }
      return [document, await store.documentText(key), await store.chunks({ ...key, limit: EVERYTHING })]
    }),
  )
}
