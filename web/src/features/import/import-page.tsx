import { useRef, useState } from 'react'
import { notifyTabs } from '../../api/tabs.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { DropZone } from '../documents/drop-zone.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { ImportDone, ImportPreview, ImportProgress } from './import-steps.tsx'
import { type ImportedChats, sendExport } from './import-work.ts'
import './import.css'

type State =
  | { readonly step: 'choose'; readonly error?: string }
  | {
      readonly step: 'reading' | 'importing'
      readonly file: File
      readonly share: number
      readonly isSent: boolean
    }
  | { readonly step: 'preview'; readonly file: File; readonly preview: ImportedChats }
  | { readonly step: 'done'; readonly imported: ImportedChats }

export function ImportPage() {
  const { state, run, stop, restart } = useImport()
  return (
    <>
      <TopBar title={<h1>Import</h1>} />
      <DropZone
        className="page import-page"
        text="Drop an export to preview it"
        onFiles={([file]) => file && void run(file, true)}
      >
        <div className="page-column import-column">
          <header>
            <h2 className="page-title">Import your chats</h2>
            <p className="page-lead">
              Bring your history from other apps into memory. You’ll see a preview before anything is saved,
              and importing the same file again adds only what’s new.
            </p>
          </header>
          {state.step === 'choose' && <Choose error={state.error} onFile={(file) => void run(file, true)} />}
          {(state.step === 'reading' || state.step === 'importing') && (
            <ImportProgress {...state} onStop={stop} />
          )}
          {state.step === 'preview' && (
            <ImportPreview
              preview={state.preview}
              onImport={() => void run(state.file, false)}
              onCancel={restart}
            />
          )}
          {state.step === 'done' && <ImportDone imported={state.imported} onMore={restart} />}
        </div>
      </DropZone>
    </>
  )
}

/** A dry run for the preview first, then the import. */
function useImport() {
  const [state, setState] = useState<State>({ step: 'choose' })
  const stopping = useRef(new AbortController())
  const run = async (file: File, isDryRun: boolean) => {
    const step = isDryRun ? 'reading' : 'importing'
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setState({ step, file, share: 0, isSent: false })
    try {
      const onProgress = (share: number, isSent: boolean) => setState({ step, file, share, isSent })
      const imported = await sendExport({ file, isDryRun, signal, onProgress })
      setState(isDryRun ? { step: 'preview', file, preview: imported } : { step: 'done', imported })
      if (!isDryRun) await announceChats()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setState({ step: 'choose', ...(!signal.aborted && { error: message }) })
    }
  }
  return { state, run, stop: () => stopping.current.abort(), restart: () => setState({ step: 'choose' }) }
}

async function announceChats(): Promise<void> {
  notifyTabs('conversations')
  await refreshList()
}

interface ChooseProps {
  readonly error: string | undefined
  readonly onFile: (file: File) => void
}

function Choose({ error, onFile }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {error !== undefined && (
        <div className="notice notice-danger" role="alert">
          <Icon name="warn" />
          <div className="notice-body">{error}</div>
        </div>
      )}
      <div className="import-drop">
        <Icon name="upload" size={30} />
        <p className="empty-title">Drop an export here</p>
        <p>.zip, .json or .jsonl, optionally gzipped</p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="Export file"
          accept=".zip,.json,.jsonl,.ndjson,.gz"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) onFile(file)
          }}
        />
        <Button look="primary" onClick={() => input.current?.click()}>
          Choose file…
        </Button>
      </div>
      <Sources />
    </>
  )
}

const SOURCES = [
  ['ChatGPT', 'Settings → Data controls → Export data. You’ll get an email with a link to a zip file.'],
  ['Claude', 'Settings → Privacy → Export data. You’ll get an email with a link to a zip file.'],
  ['LibreChat, Open WebUI', 'Conversations exported as JSON.'],
  ['OpenAI requests, mem0', 'JSON Lines with messages, or memories as JSON.'],
] as const

function Sources() {
  return (
    <dl className="import-sources">
      {SOURCES.map(([name, how]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{how}</dd>
        </div>
      ))}
    </dl>
  )
}
