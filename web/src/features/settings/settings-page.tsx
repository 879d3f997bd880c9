import { TopBar } from '../shell/top-bar.tsx'
import { AnswerSettings } from './answer-settings.tsx'
import { AppearanceSettings } from './appearance-settings.tsx'
import { DataSettings } from './data-settings.tsx'
import { EraseAll } from './erase-all.tsx'
import { KeySettings } from './key-settings.tsx'
import { ModelSettings } from './model-settings.tsx'
import { RetentionSettings } from './retention-settings.tsx'
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
