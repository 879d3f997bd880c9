// A change made in one component or tab makes the others reload. The hooks of `recollect/react` use the same channel
// and the same messages.

import { client } from './client.ts'

type Listener = (about: string) => void

const channel =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`recollect ${client.name}`)
const listeners = new Set<Listener>()

channel?.addEventListener('message', ({ data }: MessageEvent<{ readonly about?: string }>) => {
  for (const listener of [...listeners]) listener(data.about ?? '')
})

/** Tells other tabs what changed: `conversation trip`, `facts`. */
export const notifyTabs = (about: string): void => channel?.postMessage({ about })

/** The same for this tab only, when the other tabs learn of the change themselves. */
export function notifyThisTab(about: string): void {
  for (const listener of [...listeners]) listener(about)
}

export function onNotified(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
