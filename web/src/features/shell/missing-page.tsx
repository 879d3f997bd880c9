import { Link } from '../../router.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TopBar } from './top-bar.tsx'

export function MissingPage() {
  return (
    <>
      <TopBar title="Not found" />
      <div className="empty">
        <Icon name="search" size={32} />
        <h1 className="empty-title">Page not found</h1>
        <Link to="/" className="button">
          Go to chats
        </Link>
      </div>
    </>
  )
}
