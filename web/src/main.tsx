import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

createRoot(document.getElementById('app') as HTMLElement).render(<StrictMode>hello</StrictMode>)
