// Documents and their chunks.

import type { DocumentText } from '../../domain/document.ts'
import type { Commit } from '../changes.ts'
import { chunksCommit, documentCommit } from '../commits.ts'
import type { DocumentSaved, DocumentStore } from '../document-store.ts'
import { type PackedText, packText } from '../document-text.ts'
import { attachDocument, detachDocument } from './attachments.ts'
import { findChunkPlaces, findSeen, readChunksAt } from './chunk-lookup.ts'
import type { Access, Connection } from './connection.ts'
import {
  findDocument,
  findDocumentByContent,
  listDocuments,
  readChunks,
  readDocumentText,
} from './document-reads.ts'
import { addDocument, importDocument, replaceDocument, saveChunks } from './documents.ts'
import type { Session } from './session.ts'

/** Compresses the text of a document before its transaction begins. */
export function toDocumentStore(
  connection: Connection,
  { track, lookUp, lookUpBatch, read, write }: Access,
): DocumentStore {
  const writePacked = (
    content: DocumentText,
    work: (session: Session, packed: PackedText) => Promise<DocumentSaved>,
    commit: Commit,
  ) =>
    track(async () => {
      const packed = await packText(content)
      return connection.commits.write(
        connection.write((session) => work(session, packed)),
        commit,
      )
    })
  const findSeenBy = lookUpBatch(findSeen)
  return {
    addDocument: (addition) =>
      writePacked(
        addition.accepted.content,
        (session, packed) => addDocument(session, addition, packed),
        documentCommit('addDocument', { workspace: addition.workspace }),
      ),
    importDocument: (imported) =>
      writePacked(
        imported.accepted.content,
        (session, packed) => importDocument(session, imported, packed),
        documentCommit('importDocument', { workspace: imported.workspace }),
      ),
    replaceDocument: (replacement) =>
      writePacked(
        replacement.accepted.content,
        (session, packed) => replaceDocument(session, replacement, packed),
        documentCommit('replaceDocument', replacement),
      ),
    findDocument: (key) => read((session) => findDocument(session, key)),
    findDocumentByContent: (workspace, hash) =>
      read((session) => findDocumentByContent(session, workspace, hash)),
    listDocuments: (list) => read((session) => listDocuments(session, list)),
    documentText: (key) => read((session) => readDocumentText(session, key)),
    chunks: (range) => read((session) => readChunks(session, range)),
    saveChunks: (key, version, chunked) =>
      write((session) => saveChunks(session, { ...key, version, chunked }), chunksCommit(key)),
    attachDocument: (key, conversation, now) =>
      write(
        (session) => attachDocument(session, { key, conversation, now }),
        documentCommit('attachDocument', key),
      ),
    detachDocument: (key, conversation) =>
      write((session) => detachDocument(session, key, conversation), documentCommit('detachDocument', key)),
    findChunkPlaces: async (lookup) => {
      const seen = await findSeenBy(lookup)
      return lookUp((session) => findChunkPlaces(session, lookup, seen))
    },
    chunksAt: (workspace, places) => lookUp((session) => readChunksAt(session, workspace, places)),
  }
}
