import { useMemo } from 'react'
import type { RecollectClient } from './client/create-client.ts'
import { LiveRead, type ReadState } from './live/live-read.ts'
import { useLive } from './use-live.ts'

export interface UsedRemote<T> extends ReadState<T>, Pick<LiveRead<T>, 'refresh'> {
  /**
   * Optimistic update: shows the result of a change before the server confirms it; `refresh` reads the actual
   * value.
   */
  readonly assume: (change: (value: T) => T) => void
}

export interface RemoteSource<T> {
  /** Cache key with everything the value depends on: values with the same name are read once and shared. */
  readonly name: string
  readonly read: (client: RecollectClient, signal: AbortSignal) => Promise<T>
  /** Read again when one of these changes: `conversation trip`, `page sales`, or a custom name. */
  readonly about?: readonly string[]
}

/** Any value read from the server; read again when the page becomes visible or the network is back. */
export function useRemote<T>({ name, read, about = [] }: RemoteSource<T>): UsedRemote<T> {
  const [live, state] = useLive<ReadState<T>, LiveRead<T>>({
    name,
    make: (client, announcements) =>
      new LiveRead({ read: (signal) => read(client, signal), about }, announcements),
  })
  return useMemo(
    () => ({ ...state, refresh: live.refresh, assume: (change) => live.assume(change) }),
    [live, state],
  )
}
