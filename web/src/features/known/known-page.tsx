import { TopBar } from '../shell/top-bar.tsx'

export function KnownPage({ part = 'facts' }: { readonly part?: string | undefined }) {
  return (
    <>
      <TopBar title={<h1>What is known</h1>} />
      <div className="page" data-part={part}>
        <div className="page-column" />
      </div>
    </>
  )
}
