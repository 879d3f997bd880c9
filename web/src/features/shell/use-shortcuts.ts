import { useEffect } from 'react'
import { navigate } from '../../router.tsx'

const nameOf = ({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): string => {
  const isCommand = (ctrlKey || metaKey) && !altKey
  return isCommand ? `${shiftKey ? 'shift ' : ''}${key.toLowerCase()}` : ''
}

/** Ctrl/Cmd+K opens the search, Ctrl/Cmd+Shift+O starts a chat. */
export function useShortcuts(search: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const work = { k: search, 'shift o': () => navigate('/') }[nameOf(event)]
      if (work === undefined) return
      event.preventDefault()
      work()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [search])
}
