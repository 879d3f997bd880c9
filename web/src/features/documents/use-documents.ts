import { type UsedRemote, useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { showError, showToast } from '../../ui/toasts.tsx'

export interface AttachedDocument {
  readonly id: string
  readonly name: string
  readonly format: string
  readonly chunkCount: number
}

/** The files available to a conversation. */
export function useDocuments(conversationId: string): UsedRemote<readonly AttachedDocument[]> {
  return useRemote({
    name: `documents ${conversationId}`,
    about: [aboutOf(conversationId), 'document'],
    read: async (from, signal) => {
      const path = `/api/conversations/${encodeURIComponent(conversationId)}/documents`
      const page = await from.request<{ documents: readonly AttachedDocument[] }>('GET', path, { signal })
      return page.documents
    },
  })
}

const aboutOf = (conversationId: string): string => `documents ${conversationId}`

/** Uploads files one after the other; each appears as soon as it is processed. */
export async function attachFiles(conversationId: string, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const done = showToast(`Attaching ${file.name}…`, { durationMs: 600_000 })
    try {
      const form = new FormData()
      form.set('conversationId', conversationId)
      form.set('file', file)
      await client.request('POST', '/api/documents', { body: form })
      done()
      showToast(`Attached ${file.name}.`, { durationMs: 3000 })
      notifyTabs(aboutOf(conversationId))
    } catch (error) {
      done()
      showError(`Couldn’t attach ${file.name}`, error)
    }
  }
}

export async function detachDocument(conversationId: string, documentId: string): Promise<void> {
  try {
    const path = `/api/documents/${encodeURIComponent(documentId)}/detach`
    await client.request('POST', path, { body: { conversationId } })
  } catch (error) {
    showError('Couldn’t detach the file', error)
  }
  notifyTabs(aboutOf(conversationId))
}
