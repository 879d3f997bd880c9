import { TopBar } from '../shell/top-bar.tsx'

export function SettingsPage() {
  return (
    <>
      <TopBar title={<h1>Settings</h1>} />
      <div className="page" />
    </>
  )
}
