// A change made in one component or tab makes the others reload. The hooks of `recollect/react` use the same channel
// and the same messages.

import { followChanges, type ServerChange } from 'recollect/react'
import { client } from './client.ts'
import { onBack } from './connection.ts'

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
function notifyThisTab(about: string): void {
  for (const listener of [...listeners]) listener(about)
}

export function onNotified(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Follows changes made by other browsers, programs and servers. `recollect/react` refreshes its own hooks; this passes
// the changes on to the rest of the app, on the channel that tabs use among themselves.

/** Returns an unsubscribe function. */
export function followServer(): () => void {
  let end = followChanges(client, { onChange: notifyApp })
  // Reconnect at once instead of waiting for the stream's own retry delay.
  const endBack = onBack(() => {
    end()
    end = followChanges(client, { onChange: notifyApp })
  })
  return () => {
    endBack()
    end()
  }
}

function notifyApp({ kind, id }: ServerChange): void {
  if (kind === 'conversation' || kind === 'everything')
    notifyThisTab(id === undefined ? kind : `${kind} ${id}`)
}
