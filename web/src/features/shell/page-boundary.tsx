import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface State {
  readonly error?: Error
}

/** What breaks in a page stays in it: the rest of the app goes on. */
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
        <h1 className="empty-title">This page broke</h1>
        <p>{error.message}</p>
        <Button icon="refresh" onClick={() => location.reload()}>
          Load it again
        </Button>
      </div>
    )
  }
}
