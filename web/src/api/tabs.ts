// What changed in one place is read again in the others: other components, and other tabs. The hooks of
// `recollect/react` speak on the same channel, in the same words.

import { client } from './client.ts'

type Listener = (about: string) => void

const channel =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`recollect ${client.name}`)
const listeners = new Set<Listener>()

channel?.addEventListener('message', ({ data }: MessageEvent<{ readonly about?: string }>) => {
  for (const listener of [...listeners]) listener(data.about ?? '')
})

/** `conversation trip`, `facts`: what changed. */
export const tellTabs = (about: string): void => channel?.postMessage({ about })

/** The same, for this tab alone: the others were told, too. */
export function tellHere(about: string): void {
  for (const listener of [...listeners]) listener(about)
}

export function onTold(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
