import type { ReactNode } from 'react'
import type { ReadState } from 'recollect/react'
import { Icon, type IconName } from '../../ui/icon.tsx'

interface RemoteStateProps<T> {
  readonly state: ReadState<T>
  readonly children: (value: T) => ReactNode
}

/** Shows the loaded value, a skeleton while loading, or the error. */
export function RemoteState<T>({ state: { value, error }, children }: RemoteStateProps<T>) {
  if (value !== undefined) return children(value)
  if (error === undefined)
    return <div className="skeleton memory-waiting" role="status" aria-label="Loading" />
  return (
    <div className="notice notice-danger" role="alert">
      <Icon name="warn" />
      <div className="notice-body">
        {error.message}
        {error.hint !== undefined && <small>{error.hint}</small>}
      </div>
    </div>
  )
}

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
}

export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div className="empty">
    <Icon name={icon} size={40} />
    <h2 className="empty-title">{title}</h2>
    <p>{children}</p>
  </div>
)
