import { useEffect, useState } from 'react'
import type { RecallAnswer } from '../../index.ts'
import type { RecallCall } from './client/create-client.ts'
import type { Wire } from './client/wire.ts'
import { type UsedRemote, useRemote } from './use-remote.ts'

export interface UseRecallOptions extends Omit<RecallCall, 'query'> {
  /** Debounce time in milliseconds. @default 200: a pause in typing */
  readonly waitMs?: number
}

const WAIT_MS = 200

/**
 * Recalls what is known about a question, best first. An empty question finds nothing and sends no request.
 */
export function useRecall(
  query: string,
  { waitMs = WAIT_MS, ...request }: UseRecallOptions = {},
): UsedRemote<Wire<RecallAnswer> | undefined> {
  const asked = useSettled(query.trim(), waitMs)
  return useRemote({
    name: `recall ${JSON.stringify({ ...request, query: asked })}`,
    read: async (client, signal) =>
      asked === '' ? undefined : client.recall({ ...request, query: asked }, { signal }),
  })
}

/** A text after it has not changed for a while. */
function useSettled(text: string, waitMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waitMs)
    return () => clearTimeout(timer)
  }, [text, waitMs])
  return settled
}
