import { upload } from '../../api/upload.ts'

export interface ImportedChats {
  readonly format?: string
  readonly conversations: number
  readonly messages: number
  readonly known: number
  readonly forks: number
  readonly facts: number
  readonly documents: number
  readonly skipped: number
  readonly problems: readonly { readonly place: string; readonly reason: string }[]
  readonly listed: readonly {
    readonly id: string
    readonly title?: string
    readonly createdAt?: string
    readonly isNew: boolean
    readonly messages: number
    readonly known: number
  }[]
}

export interface ImportStep {
  readonly file: File
  readonly isDryRun: boolean
  readonly signal: AbortSignal
  readonly onProgress: (share: number, isSent: boolean) => void
}

export function sendExport({ file, isDryRun, signal, onProgress }: ImportStep): Promise<ImportedChats> {
  const path = isDryRun ? '/api/import?dryRun=true' : '/api/import'
  return upload({ path, file, mediaType: mediaTypeOf(file.name), signal, onProgress })
}

function mediaTypeOf(name: string): string {
  const ending = name.toLowerCase().split('.').at(-1)
  if (ending === 'zip') return 'application/zip'
  if (ending === 'gz') return 'application/gzip'
  return ending === 'jsonl' || ending === 'ndjson' ? 'application/x-ndjson' : 'application/json'
}

const FORMATS: Readonly<Record<string, string>> = {
  recollect: 'Recollect',
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  librechat: 'LibreChat',
  'open-webui': 'Open WebUI',
  openai: 'OpenAI requests',
  mem0: 'mem0',
}

export const formatName = (format: string | undefined): string =>
  format === undefined ? 'empty file' : `${FORMATS[format] ?? format} export`
