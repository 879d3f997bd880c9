// For stores that leave out a part of the contract and declare so in their capabilities. Reads of a missing part
// return nothing, and its writes are rejected, so that the rest of the memory works as usual.

import { MemoryError } from '../domain/errors.ts'
import type { ActivityStore } from './activity-store.ts'
import type { DocumentStore } from './document-store.ts'
import type { KeyStore } from './key-store.ts'
import type { PageStore } from './page-store.ts'
import type { Store } from './store.ts'

/** With `capabilities.hasDocuments: false`. */
export const noDocuments: DocumentStore & Pick<Store, 'eraseDocument'> = {
  addDocument: () => refuse('documents'),
  importDocument: () => refuse('documents'),
  replaceDocument: () => refuse('documents'),
  saveChunks: () => refuse('documents'),
  attachDocument: () => refuse('documents'),
  detachDocument: () => refuse('documents'),
  eraseDocument: () => refuse('documents'),
  findDocument: async () => undefined,
  findDocumentByContent: async () => undefined,
  listDocuments: async () => ({ items: [] }),
  documentText: async () => undefined,
  chunks: async () => [],
  findChunkPlaces: async () => ({ locators: [], count: 0 }),
  chunksAt: async () => [],
}

/** With `capabilities.hasPages: false`. */
export const noPages: PageStore & Pick<Store, 'erasePage' | 'eraseQuery'> = {
  savePage: () => refuse('pages'),
  addQueries: () => refuse('pages'),
  flagQuery: () => refuse('pages'),
  erasePage: () => refuse('pages'),
  eraseQuery: () => refuse('pages'),
  forgetDocument: async () => 0,
  findPage: async () => undefined,
  listPages: async () => ({ items: [] }),
  queries: async () => [],
  queriesAt: async () => [],
  findQueryPositions: async ({ words }) => words.map(() => []),
  findQuery: async () => undefined,
}

/** With `capabilities.hasKeys: false`. */
export const noKeys: KeyStore = {
  addKey: () => refuse('API keys'),
  findKey: async () => undefined,
  listKeys: async () => [],
  noteKeyUse: async () => undefined,
  deleteKey: async () => false,
}

/** With `capabilities.canCompress: false`: messages stay as they are. */
export const noCompression: Pick<Store, 'compress' | 'compressedPositions'> = {
  compress: async () => ({ messages: 0, bytesBefore: 0, bytesAfter: 0 }),
  compressedPositions: async () => [],
}

/** With `capabilities.hasActivity: false`. */
export const noActivity: ActivityStore = {
  activity: async () => ({ days: [], sections: {} }),
}

async function refuse(part: string): Promise<never> {
  throw new MemoryError('invalid-input', `this store has no ${part}`, {
    hint: 'see `capabilities` of the store, or open the memory with another store',
  })
}
