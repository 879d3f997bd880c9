import { useState } from 'react'
import { saveBackup, saveFrom } from '../../api/download.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice, type ChoiceOption } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { chooseTheme, type Theme, useTheme } from '../../ui/theme.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { AnswerSettings } from './answer-settings.tsx'
import { EraseAll } from './erase-all.tsx'
import { KeySettings } from './key-settings.tsx'
import { ModelSettings } from './model-settings.tsx'
import { RetentionSettings } from './retention-settings.tsx'
import { Setting, SettingGroup } from './setting.tsx'
import './settings.css'

export function SettingsPage() {
  return (
    <>
      <TopBar title={<h1>Settings</h1>} />
      <div className="page">
        <div className="page-column settings">
          <ModelSettings />
          <AnswerSettings />
          <AppearanceSettings />
          <RetentionSettings />
          <KeySettings />
          <DataSettings />
          <EraseAll />
        </div>
      </div>
    </>
  )
}

const THEMES: readonly ChoiceOption<Theme>[] = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
]

function AppearanceSettings() {
  const chosen = useTheme()
  return (
    <SettingGroup title="Appearance">
      <Setting name="Theme">
        <Choice label="Theme" options={THEMES} chosen={chosen} onChoose={chooseTheme} />
      </Setting>
    </SettingGroup>
  )
}

function DataSettings() {
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
