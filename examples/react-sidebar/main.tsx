import { useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { RecollectProvider } from 'recollect/react'
import { COMPANIES } from './revenue.ts'
import { RevenuePage } from './revenue-page.tsx'
import 'recollect/react/theme.css'
import './page.css'

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** Two pages, each with its file: what is asked on one is not answered from the file of the other. */
function App() {
  const id = useSyncExternalStore(onHashChange, () => location.hash.slice(1))
  const company = COMPANIES.find((one) => one.id === id) ?? COMPANIES[0]
  return (
    <>
      <nav className="pages" aria-label="Pages">
        {COMPANIES.map((one) => (
          <a key={one.id} href={`#${one.id}`} aria-current={one === company ? 'page' : undefined}>
            {one.title}
          </a>
        ))}
      </nav>
      {company && <RevenuePage key={company.id} company={company} />}
    </>
  )
}

const root = document.getElementById('app')
if (root === null) throw new TypeError('the page has no place for the app')

createRoot(root).render(
  <RecollectProvider>
    <App />
  </RecollectProvider>,
)
