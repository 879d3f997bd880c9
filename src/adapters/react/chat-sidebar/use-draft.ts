import { useCallback, useEffect, useState } from 'react'
import { findStorage } from '../browser.ts'

const keyOf = (conversationId: string): string => `recollect draft ${conversationId}`

/** The text being written; survives a reload. */
export function useDraft(conversationId: string): readonly [string, (text: string) => void] {
  const key = keyOf(conversationId)
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({})
  // Read in an effect: the first render must match the server-rendered output.
  useEffect(() => {
    const left = findStorage()?.getItem(key) ?? ''
    setDrafts((others) => ({ [key]: left, ...others }))
  }, [key])
  const write = useCallback(
    (text: string) => {
      setDrafts((others) => ({ ...others, [key]: text }))
      keepDraft(key, text)
    },
    [key],
  )
  return [drafts[key] ?? '', write]
}

function keepDraft(key: string, text: string): void {
  const storage = findStorage()
  try {
    if (text === '') storage?.removeItem(key)
    else storage?.setItem(key, text)
  } catch {
    // Storage is full: the draft stays in the field, but would not survive a reload.
  }
}
