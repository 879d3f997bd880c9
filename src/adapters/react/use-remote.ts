import { useMemo } from 'react'
import type { RecollectClient } from './client/create-client.ts'
import { LiveRead, type ReadState } from './live/live-read.ts'
import { useLive } from './use-live.ts'

export interface UsedRemote<T> extends ReadState<T>, Pick<LiveRead<T>, 'refresh'> {
  /** Shows what a change will make of it before the server has said so; `refresh` shows the truth. */
  readonly assume: (change: (value: T) => T) => void
}

export interface RemoteSource<T> {
  /** What is read, with everything it depends on: the same name is read once, for all who use it. */
  readonly name: string
  readonly read: (client: RecollectClient, signal: AbortSignal) => Promise<T>
  /** Read again when one of these changed: `conversation trip`, `page sales`, or a word of your own. */
  readonly about?: readonly string[]
}

/** Anything that is read from the server; read again when the page is seen again or the network is back. */
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
