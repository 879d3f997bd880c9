import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface State {
  readonly error?: Error
}

/** Contains errors to the page in which they happen; the rest of the app keeps working. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = {}

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className="empty" role="alert">
        <Icon name="warn" size={32} />
        <h1 className="empty-title">Something went wrong</h1>
        <p>{error.message}</p>
        <Button icon="refresh" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    )
  }
}
