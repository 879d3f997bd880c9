import { TopBar } from '../shell/top-bar.tsx'

export function ImportPage() {
  return (
    <>
      <TopBar title={<h1>Import</h1>} />
      <div className="page" />
    </>
  )
}
