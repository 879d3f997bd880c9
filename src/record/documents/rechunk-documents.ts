import type { Document } from '../../domain/document.ts'
import { isMemoryError } from '../../domain/errors.ts'
import type { DocumentKey } from '../../store/document-store.ts'
import { readDocuments } from '../../store/read-pages.ts'
import type { WorkspaceDeps } from '../record.ts'
import { cutDocument } from './add-document.ts'
import { Pace } from './pace.ts'

/** Cuts every document of the store anew, of all workspaces, by the options that hold now. */
export async function rechunkDocuments(
  recorder: WorkspaceDeps,
  onChunks: (done: number) => void = () => undefined,
): Promise<void> {
  const { store } = recorder
  let done = 0
  for (const workspace of await store.listWorkspaces()) {
    for await (const document of readDocuments(store, { workspace })) {
      await rechunk(recorder, { workspace, document: document.id }, document)
      done += document.chunkCount
      onChunks(done)
    }
  }
}

async function rechunk(
  recorder: WorkspaceDeps,
  key: DocumentKey,
  { name, version }: Document,
): Promise<void> {
  const content = await readText(recorder, key)
  if (content === undefined) return
  const chunked = await cutDocument(recorder, { name, content, pace: new Pace() })
  await recorder.store.saveChunks(key, version, chunked)
}

/** Where the text is damaged, the chunks are all that is left of it: they stay, and a check says so. */
async function readText({ store }: WorkspaceDeps, key: DocumentKey) {
  try {
    return await store.documentText(key)
  } catch (error) {
    if (isMemoryError(error) && error.code === 'store-damaged') return undefined
    throw error
  }
}
