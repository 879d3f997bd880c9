import { useCallback, useEffect, useState } from 'react'
import { findStorage } from '../browser.ts'

const keyOf = (conversationId: string): string => `recollect draft ${conversationId}`

/** What is being written, over a reload. */
export function useDraft(conversationId: string): readonly [string, (text: string) => void] {
  const key = keyOf(conversationId)
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({})
  // Read afterwards: the first rendering must be what a server would have rendered.
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
    // Full: the draft is in the field, it only would not outlive a reload.
  }
}
