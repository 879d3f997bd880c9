import type { ReactNode } from 'react'

interface SettingGroupProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}

export function SettingGroup({ title, lead, children }: SettingGroupProps) {
  return (
    <section className="card setting-group">
      <h2>{title}</h2>
      {lead !== undefined && <p className="setting-lead">{lead}</p>}
      {children}
    </section>
  )
}

interface SettingProps {
  readonly name: string
  readonly hint?: ReactNode
  /** Of the field that it names. */
  readonly htmlFor?: string
  readonly children: ReactNode
}

/** One thing that can be set: what it is on the left, how it is set on the right. */
export function Setting({ name, hint, htmlFor, children }: SettingProps) {
  return (
    <div className="setting">
      <div className="setting-text">
        {htmlFor === undefined ? (
          <span className="setting-name">{name}</span>
        ) : (
          <label className="setting-name" htmlFor={htmlFor}>
            {name}
          </label>
        )}
        {hint !== undefined && <span className="field-hint">{hint}</span>}
      </div>
      <div className="setting-control">{children}</div>
    </div>
  )
}
