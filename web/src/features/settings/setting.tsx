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
  /** The id of the field that the name labels. */
  readonly htmlFor?: string
  readonly children: ReactNode
}

/** A row with the name of a setting on the left and its control on the right. */
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
