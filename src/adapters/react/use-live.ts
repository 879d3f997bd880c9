import { useMemo, useSyncExternalStore } from 'react'
import type { RecollectClient } from './client/create-client.ts'
import type { Announcements } from './live/announcements.ts'
import type { Live } from './live/live.ts'
import { cacheOf } from './live/live-cache.ts'
import { useRecollect } from './provider.tsx'

/** Identifies a live value in the cache, and creates it if missing. */
export interface LiveSource<L> {
  readonly name: string
  readonly make: (client: RecollectClient, announcements: Announcements) => L
}

/** A live value of the client's cache, and its current state. Components with the same name share it. */
export function useLive<T, L extends Live<T>>({ name, make }: LiveSource<L>): readonly [L, T] {
  const client = useRecollect()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is made depends on its name alone
  const live = useMemo(() => {
    const cache = cacheOf(client)
    return cache.take<L>(name, () => make(client, cache.announcements))
  }, [client, name])
  return [live, useSyncExternalStore<T>(live.subscribe, live.get, live.get)]
}
