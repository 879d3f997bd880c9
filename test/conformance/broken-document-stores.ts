// Stores that break a promise about documents or chunks, each with the case that must fail.

import { ELSEWHERE } from '../../conformance/store/samples.ts'
import type { Document } from '../../src/domain/document.ts'
import { conversationId, documentId } from '../../src/domain/ids.ts'
import type { ChunkLookup, PlacedChunk } from '../../src/store/document-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { BrokenStore } from './broken-page-stores.ts'

const sleep = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

const withDocuments = (store: Store, change: (document: Document) => Document): Partial<Store> => ({
  findDocument: async (key) => {
    const document = await store.findDocument(key)
    return document && change(document)
  },
})

const withLookup = (store: Store, change: (lookup: ChunkLookup) => ChunkLookup): Partial<Store> => ({
  findChunkPlaces: (lookup) => store.findChunkPlaces(change(lookup)),
})

const withChunks = (
  store: Store,
  change: (chunks: readonly PlacedChunk[]) => readonly PlacedChunk[],
): Partial<Store> => ({
  chunksAt: async (workspace, places) => change(await store.chunksAt(workspace, places)),
})

/** Drops this field, so that the rest is returned. */
const without =
  (field: keyof ChunkLookup) =>
  (lookup: ChunkLookup): ChunkLookup =>
    Object.fromEntries(Object.entries(lookup).filter(([name]) => name !== field)) as unknown as ChunkLookup

export const BROKEN_DOCUMENT_STORES: readonly BrokenStore[] = [
  {
    flaw: 'changes line ends in the text of a document',
    noticedBy: 'a document comes back as it was added, with its text and its chunks',
    breakStore: (store) => ({
      documentText: async (key) => {
        const content = await store.documentText(key)
        return content && { ...content, text: content.text.replaceAll('\r\n', '\n') }
      },
    }),
  },
  {
    flaw: 'makes a document where one should be replaced',
    noticedBy: 'what is not there is not found: no document, no text, no chunks',
    breakStore: (store) => ({ replaceDocument: (replacement) => store.addDocument(replacement) }),
  },
  {
    flaw: 'keeps the same content under two ids',
    noticedBy: 'the same content is there once: under its id again, and under no other',
    breakStore: (store) => ({
      addDocument: (addition) =>
        store.addDocument({
          ...addition,
          accepted: {
            ...addition.accepted,
            contentHash: `${addition.document} ${addition.accepted.contentHash}`,
          },
        }),
    }),
  },
  {
    flaw: 'looks before it adds, and lets others in between',
    noticedBy: 'many who add the same document at once add one',
    breakStore: (store) => ({
      addDocument: async (addition) => {
        const isNew = (await store.findDocument(addition)) === undefined
        await sleep(1)
        return { ...(await store.addDocument(addition)), isNew }
      },
    }),
  },
  {
    flaw: 'finds the old version of a document by its words',
    noticedBy: 'a replaced document has the new version only, under its id and attached as before',
    breakStore: (store) => ({
      replaceDocument: async (replacement) => {
        const chunks = await store.chunks({ ...replacement, limit: 10 })
        const copies = chunks.map(({ id: _, documentId: __, version: ___, ...chunk }) => chunk)
        const accepted = { ...replacement.accepted, chunks: [...replacement.accepted.chunks, ...copies] }
        return store.replaceDocument({ ...replacement, accepted })
      },
    }),
  },
  {
    flaw: 'makes a new version of the same content',
    noticedBy: 'replaced by the same content, a document only gets its new name',
    breakStore: (store) => ({
      replaceDocument: (replacement) => {
        const contentHash = `${replacement.accepted.contentHash} ${Math.random()}`
        return store.replaceDocument({ ...replacement, accepted: { ...replacement.accepted, contentHash } })
      },
    }),
  },
  {
    flaw: 'writes chunks of another version',
    noticedBy: 'chunks can be replaced for the same text, unless the text was replaced meanwhile',
    breakStore: (store) => ({
      saveChunks: async (key, _version, chunked) => {
        const document = await store.findDocument(key)
        return document !== undefined && store.saveChunks(key, document.version, chunked)
      },
    }),
  },
  {
    flaw: 'begins again with every stretch of chunks',
    noticedBy: 'chunks are read in order, a stretch at a time',
    breakStore: (store) => ({ chunks: ({ after: _, ...range }) => store.chunks(range) }),
  },
  {
    flaw: 'forgets to tell conversations of their documents',
    noticedBy: 'lists of conversations and documents say the same, from whichever side it was said',
    breakStore: (store) => ({
      findConversation: async (key) => {
        const conversation = await store.findConversation(key)
        return conversation && { ...conversation, documents: [] }
      },
    }),
  },
  {
    flaw: 'shows every document to all',
    noticedBy: 'a document is for every conversation, or no longer',
    breakStore: (store) => withDocuments(store, (document) => ({ ...document, isWorkspaceWide: true })),
  },
  {
    flaw: 'lists the documents of all conversations for one',
    noticedBy: 'documents are listed newest first, a page at a time, of one conversation if asked',
    breakStore: (store) => ({ listDocuments: ({ conversation: _, ...list }) => store.listDocuments(list) }),
  },
  {
    flaw: 'leaves an erased document open on pages',
    noticedBy: 'an erased document is gone with its text, chunks and words, from pages and conversations',
    breakStore: (store) => {
      const erased = new Set<string>()
      return {
        eraseDocument: (key, now) => {
          erased.add(key.document)
          return store.eraseDocument(key, now)
        },
        findPage: async (key) => {
          const page = await store.findPage(key)
          const [id] = erased
          return page && { ...page, activeFile: page.activeFile ?? (id === undefined ? null : { id }) }
        },
      }
    },
  },
  {
    flaw: 'keeps the documents of erased conversations',
    noticedBy: 'with conversations go the documents that only they see',
    breakStore: (store) => ({
      eraseConversations: async (keys) => {
        const { items } = await store.listDocuments({
          workspace: keys[0]?.workspace ?? ELSEWHERE,
          limit: 100,
        })
        for (const { id, isWorkspaceWide } of items) {
          const key = { workspace: keys[0]?.workspace ?? ELSEWHERE, document: id }
          if (!isWorkspaceWide) await store.attachDocument(key, undefined, new Date(0))
        }
        return store.eraseConversations(keys)
      },
    }),
  },
  {
    flaw: 'begins the history of an imported document anew',
    noticedBy: 'an imported document keeps its history and is imported once',
    breakStore: (store) => ({
      importDocument: (imported) => store.importDocument({ ...imported, version: 1 }),
    }),
  },
  {
    flaw: 'looks for contents in all workspaces',
    noticedBy: 'documents of another workspace are neither seen nor touched',
    breakStore: (store) => ({
      findDocumentByContent: async (workspace, hash) =>
        (await store.findDocumentByContent(workspace, hash)) ??
        (await store.findDocumentByContent(ELSEWHERE, hash)),
    }),
  },
  {
    flaw: 'hands out chunks without their headings',
    noticedBy: 'a chunk is found by its words and by those of its headings, with what it is from',
    breakStore: (store) =>
      withChunks(store, (chunks) => chunks.map((chunk) => ({ ...chunk, headingPath: [] }))),
  },
  {
    flaw: 'is content with a word of one group',
    noticedBy: 'a chunk has a word of every group, or is not found',
    breakStore: (store) => withLookup(store, (lookup) => ({ ...lookup, allOf: lookup.allOf.slice(0, 1) })),
  },
  {
    flaw: 'finds nothing where no words are asked for',
    noticedBy: 'asked for no words, all chunks that may be seen are found',
    breakStore: (store) => ({
      findChunkPlaces: async (lookup) =>
        lookup.allOf.length === 0 ? { locators: [], count: 0 } : store.findChunkPlaces(lookup),
    }),
  },
  {
    flaw: 'gives the lowest places first',
    noticedBy: 'places are the number of the document and of the chunk, the highest first, up to the limit',
    breakStore: (store) => ({
      findChunkPlaces: async (lookup) => {
        const { locators, count } = await store.findChunkPlaces({ ...lookup, limit: 1000 })
        return { locators: locators.toReversed().slice(0, lookup.limit), count }
      },
    }),
  },
  {
    flaw: 'gives chunks in the order of the document',
    noticedBy: 'chunks are returned in the order of the locators, without missing ones',
    breakStore: (store) => withChunks(store, (chunks) => chunks.toSorted((a, b) => a.place - b.place)),
  },
  {
    flaw: 'shows conversations the documents of others',
    noticedBy: 'a conversation sees what is for all and what is attached to it; nobody else sees that',
    breakStore: (store) => withLookup(store, without('conversations')),
  },
  {
    flaw: 'shows what is not remembered, where there is much',
    noticedBy: 'the same holds in a workspace of very many documents',
    breakStore: (store) =>
      withLookup(store, (lookup) => ({
        ...lookup,
        conversations: lookup.conversations ?? ['trip', 'secret'].map(conversationId),
      })),
  },
  {
    flaw: 'shows whatever document is named',
    noticedBy: 'of named documents only those are found that may be seen',
    breakStore: (store) =>
      withLookup(store, (lookup) =>
        lookup.documents === undefined
          ? lookup
          : {
              ...lookup,
              conversations: ['trip', 'walk'].map(conversationId),
              documents: lookup.documents.map(documentId),
            },
      ),
  },
  {
    flaw: 'counts no further than it looked',
    noticedBy: 'counts of chunks are exact up to the limit, and near beyond it, of one workspace only',
    breakStore: (store) => ({
      findChunkPlaces: async (lookup) => {
        const { locators } = await store.findChunkPlaces(lookup)
        return { locators, count: locators.length }
      },
    }),
  },
]
