import { useEffect } from 'react'
import { navigate } from '../../router.tsx'

/** Ctrl or Cmd with K searches; with Shift and O begins a chat. */
export function useShortcuts(search: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const key = event.key.toLowerCase()
      if (key === 'k' && !event.shiftKey) {
        event.preventDefault()
        search()
      }
      if (key === 'o' && event.shiftKey) {
        event.preventDefault()
        navigate('/')
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [search])
}
