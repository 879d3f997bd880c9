import type { ReactNode } from 'react'

interface PanelProps {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

export function Panel({ title, lead, children }: PanelProps) {
  return (
    <section className="card panel">
      <h2>{title}</h2>
      {lead !== undefined && <p className="field-hint">{lead}</p>}
      {children}
    </section>
  )
}
