// What changed in one tab is read again in the others.

type Listener = (about: string) => void

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('recollect app')
const listeners = new Set<Listener>()

channel?.addEventListener('message', ({ data }) => {
  for (const listener of [...listeners]) listener(String(data))
})

export const tellTabs = (about: string): void => channel?.postMessage(about)

export function onTold(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
