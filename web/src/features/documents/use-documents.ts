import { type UsedRemote, useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import { tellTabs } from '../../api/tabs.ts'
import { showToast } from '../../ui/toasts.tsx'

export interface AttachedDocument {
  readonly id: string
  readonly name: string
  readonly format: string
  readonly chunkCount: number
}

/** The files that a conversation sees. */
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

/** Sends files one after the other; whoever looks at the documents sees each when it is read. */
export async function attachFiles(conversationId: string, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const done = showToast(`Reading ${file.name} …`, { durationMs: 600_000 })
    try {
      const form = new FormData()
      form.set('conversationId', conversationId)
      form.set('file', file)
      await client.request('POST', '/api/documents', { body: form })
      done()
      showToast(`${file.name} is attached.`, { durationMs: 3000 })
      tellTabs(aboutOf(conversationId))
    } catch (error) {
      done()
      showToast(
        `${file.name} could not be attached: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}

export async function detachDocument(conversationId: string, documentId: string): Promise<void> {
  try {
    const path = `/api/documents/${encodeURIComponent(documentId)}/detach`
    await client.request('POST', path, { body: { conversationId } })
  } catch (error) {
    showToast(`It could not be detached: ${error instanceof Error ? error.message : String(error)}`)
  }
  tellTabs(aboutOf(conversationId))
}
