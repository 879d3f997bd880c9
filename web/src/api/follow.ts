// Follows changes made by other browsers, programs and servers. `recollect/react` refreshes its own hooks; this passes
// the changes on to the rest of the app, on the channel that tabs use among themselves.

import { followChanges, type ServerChange } from 'recollect/react'
import { client } from './client.ts'
import { onBack } from './connection.ts'
import { notifyThisTab } from './tabs.ts'

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
