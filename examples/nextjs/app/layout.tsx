import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import 'recollect/react/theme.css'
import './page.css'

export const metadata: Metadata = { title: 'Sales' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
