import type { ReactNode } from 'react'
import { Link } from '../../router.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { MissingPage } from '../shell/missing-page.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { DocumentsPart } from './documents/documents-part.tsx'
import { EntitiesPart } from './entities/entities-part.tsx'
import { FactsPart } from './facts/facts-part.tsx'
import { NotesPart } from './notes/notes-part.tsx'
import { PreferencesPart } from './preferences/preferences-part.tsx'
import './known.css'

interface Part {
  readonly name: string
  readonly title: string
  readonly icon: IconName
  readonly show: () => ReactNode
}

const PARTS: readonly Part[] = [
  { name: 'facts', title: 'Facts', icon: 'known', show: () => <FactsPart /> },
  { name: 'entities', title: 'Names', icon: 'tag', show: () => <EntitiesPart /> },
  { name: 'preferences', title: 'Preferences', icon: 'spark', show: () => <PreferencesPart /> },
  { name: 'notes', title: 'Notes', icon: 'book', show: () => <NotesPart /> },
  { name: 'documents', title: 'Documents', icon: 'file', show: () => <DocumentsPart /> },
]

export function KnownPage({ part = 'facts' }: { readonly part?: string | undefined }) {
  const shown = PARTS.find(({ name }) => name === part)
  if (shown === undefined) return <MissingPage />
  return (
    <>
      <TopBar title={<h1>What is known</h1>} />
      <div className="page">
        <div className="page-column known">
          <nav className="segments known-parts" aria-label="What is known">
            {PARTS.map(({ name, title, icon }) => (
              <Link
                key={name}
                to={name === 'facts' ? '/known' : `/known/${name}`}
                className="segment"
                aria-current={name === part ? 'page' : undefined}
              >
                <Icon name={icon} size={15} />
                {title}
              </Link>
            ))}
          </nav>
          {shown.show()}
        </div>
      </div>
    </>
  )
}
