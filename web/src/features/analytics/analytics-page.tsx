import { TopBar } from '../shell/top-bar.tsx'

export function AnalyticsPage() {
  return (
    <>
      <TopBar title={<h1>Analytics</h1>} />
      <div className="page" />
    </>
  )
}
