import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window is at least `px` pixels wide. */
export function useIsWide(px: number): boolean {
  const query = `(min-width: ${px}px)`
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
