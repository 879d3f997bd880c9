import { useState } from 'react'
import { saveBackup, saveFrom } from '../../api/download.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Setting, SettingGroup } from './setting.tsx'

export function DataSettings() {
  const [busy, setBusy] = useState<string | undefined>()
  const run = (name: string, work: () => Promise<void>) => () => {
    setBusy(name)
    void work().finally(() => setBusy(undefined))
  }
  return (
    <SettingGroup title="Your data">
      <Setting
        name="Export everything"
        hint="JSON can be imported again without loss. Markdown is for reading."
      >
        <Button
          icon="download"
          disabled={busy !== undefined}
          onClick={run('json', () => saveFrom('/api/export', 'json', 'recollect'))}
        >
          JSON
        </Button>
        <Button
          icon="download"
          disabled={busy !== undefined}
          onClick={run('markdown', () => saveFrom('/api/export', 'markdown', 'recollect'))}
        >
          Markdown
        </Button>
      </Setting>
      <Setting name="Back up" hint="A verified copy of the whole database, made while it is in use.">
        <Button icon="download" disabled={busy !== undefined} onClick={run('backup', saveBackup)}>
          Download
        </Button>
      </Setting>
      <Setting name="Import" hint="From ChatGPT, Claude and other apps, or a Recollect export.">
        <Link to="/import" className="button">
          <Icon name="upload" />
          Import…
        </Link>
      </Setting>
    </SettingGroup>
  )
}
