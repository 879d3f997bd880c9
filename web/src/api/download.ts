import type { WireConversation } from 'recollect/react'
import { showError } from '../ui/toasts.tsx'
import { client } from './client.ts'

type Format = 'json' | 'markdown'

/** Fetches instead of following a link, so that the API key can be sent along. */
export async function download(conversation: WireConversation, format: Format): Promise<void> {
  const path = `/api/conversations/${encodeURIComponent(conversation.id)}/export`
  await saveFrom(path, format, conversation.title ?? conversation.id)
}

export async function saveFrom(path: string, format: Format, name: string): Promise<void> {
  try {
    const response = await client.open('GET', path, { query: { format } })
    saveFile(await response.blob(), `${toFileName(name)}.${format === 'json' ? 'json' : 'md'}`)
  } catch (error) {
    showError('Couldn’t export', error)
  }
}

function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const toFileName = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase() || 'conversation'

export async function saveBackup(): Promise<void> {
  try {
    const response = await client.open('GET', '/api/backup')
    saveFile(await response.blob(), 'recollect-backup.db')
  } catch (error) {
    showError('Couldn’t back up', error)
  }
}
