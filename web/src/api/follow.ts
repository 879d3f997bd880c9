// What others change is seen here: other browsers, programs, servers. The hooks are told by `recollect/react`; the rest
// of the app by the words that tabs tell each other.

import { followChanges, type ServerChange } from 'recollect/react'
import { client } from './client.ts'
import { onBack } from './connection.ts'
import { tellHere } from './tabs.ts'

/** Follows until it is ended. Returns how to. */
export function followServer(): () => void {
  let end = followChanges(client, { onChange: tellApp })
  // Not only when its own waiting is over: whoever looked for the server has found it.
  const endBack = onBack(() => {
    end()
    end = followChanges(client, { onChange: tellApp })
  })
  return () => {
    endBack()
    end()
  }
}

function tellApp({ kind, id }: ServerChange): void {
  if (kind === 'conversation' || kind === 'everything') tellHere(id === undefined ? kind : `${kind} ${id}`)
}
