import type { ReactNode } from 'react'
import { Link } from '../../router.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { MissingPage } from '../shell/missing-page.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { BlocksPart } from './blocks/blocks-part.tsx'
import { DocumentsPart } from './documents/documents-part.tsx'
import { EntitiesPart } from './entities/entities-part.tsx'
import { FactsPart } from './facts/facts-part.tsx'
import { NotesPart } from './notes/notes-part.tsx'
import { PreferencesPart } from './preferences/preferences-part.tsx'
import './memory.css'

interface Part {
  readonly name: string
  readonly title: string
  readonly icon: IconName
  readonly show: () => ReactNode
}

const PARTS: readonly Part[] = [
  { name: 'facts', title: 'Facts', icon: 'memory', show: () => <FactsPart /> },
  { name: 'entities', title: 'People & things', icon: 'tag', show: () => <EntitiesPart /> },
  { name: 'preferences', title: 'Preferences', icon: 'spark', show: () => <PreferencesPart /> },
  { name: 'blocks', title: 'Blocks', icon: 'list', show: () => <BlocksPart /> },
  { name: 'notes', title: 'Notes', icon: 'book', show: () => <NotesPart /> },
  { name: 'documents', title: 'Documents', icon: 'file', show: () => <DocumentsPart /> },
]

export function MemoryPage({ part = 'facts' }: { readonly part?: string | undefined }) {
  const shown = PARTS.find(({ name }) => name === part)
  if (shown === undefined) return <MissingPage />
  return (
    <>
      <TopBar title={<h1>Memory</h1>} />
      <div className="page">
        <div className="page-column memory-page">
          <nav className="segments memory-parts" aria-label="Memory">
            {PARTS.map(({ name, title, icon }) => (
              <Link
                key={name}
                to={name === 'facts' ? '/memory' : `/memory/${name}`}
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
