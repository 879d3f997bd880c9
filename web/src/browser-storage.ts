// Browser storage for small values: theme, drafts, unread markers. If the browser forbids storage, values last until
// the page is closed.

interface KeyValueStorage {
  get(name: string): string | undefined
  set(name: string, value: string): void
  remove(name: string): void
}

const PREFIX = 'recollect.'

function openStorage(find: () => Storage): KeyValueStorage {
  const memory = new Map<string, string>()
  const storage = (): Storage | undefined => {
    try {
      return find()
    } catch {
      return undefined // Accessing it throws where storage is forbidden.
    }
  }
  return {
    get: (name) => storage()?.getItem(PREFIX + name) ?? memory.get(name),
    set(name, value) {
      memory.set(name, value)
      try {
        storage()?.setItem(PREFIX + name, value)
      } catch {
        return // Full or forbidden: the value lasts until the page is closed.
      }
    },
    remove(name) {
      memory.delete(name)
      storage()?.removeItem(PREFIX + name)
    },
  }
}

/** Shared by all tabs, until removed. */
export const localValues = openStorage(() => localStorage)
/** For this tab only; survives a reload. */
export const tabValues = openStorage(() => sessionStorage)
