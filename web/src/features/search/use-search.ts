import { useEffect, useState } from 'react'
import type { Found, SearchFilter } from './found.ts'
import { searchEverything } from './search-everything.ts'

interface Search {
  readonly words: string
  readonly filter: SearchFilter
  readonly conversationId: string | undefined
}

interface SearchState {
  /** Undefined until the first search. */
  readonly found: readonly Found[] | undefined
  readonly isBusy: boolean
  readonly error: string | undefined
}

/** Debounce while typing; too short to notice. */
const PAUSE_MS = 120

export function useSearch({ words, filter, conversationId }: Search): SearchState {
  const [state, setState] = useState<SearchState>({ found: undefined, isBusy: false, error: undefined })
  const trimmed = words.trim()
  useEffect(() => {
    if (trimmed === '') {
      setState({ found: undefined, isBusy: false, error: undefined })
      return undefined
    }
    const stop = new AbortController()
    const { signal } = stop
    setState((before) => ({ ...before, isBusy: true }))
    const show = (found: readonly Found[], error?: string) => {
      if (!signal.aborted) setState({ found, isBusy: false, error })
    }
    const timer = setTimeout(() => {
      searchEverything({ words: trimmed, filter, conversationId, signal }).then(
        (found) => show(found),
        (error: unknown) => show([], error instanceof Error ? error.message : String(error)),
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [trimmed, filter, conversationId])
  return state
}
