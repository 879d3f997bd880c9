import { createRoot } from 'react-dom/client'
import { RecollectProvider } from 'recollect/react'
import { RevenuePage } from './revenue-page.tsx'
import 'recollect/react/theme.css'
import './page.css'

const root = document.getElementById('app')
if (root === null) throw new TypeError('the page has no place for the app')

createRoot(root).render(
  <RecollectProvider>
    <RevenuePage />
  </RecollectProvider>,
)
