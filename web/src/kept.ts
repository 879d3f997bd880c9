// Small things that outlive the page: theme, drafts, what was read. A browser that forbids storage keeps them for as
// long as the page is open.

interface Keeper {
  get(name: string): string | undefined
  set(name: string, value: string): void
  remove(name: string): void
}

const PREFIX = 'recollect.'

function openKeeper(find: () => Storage): Keeper {
  const memory = new Map<string, string>()
  const storage = (): Storage | undefined => {
    try {
      return find()
    } catch {
      // Looking at it throws where it is forbidden.
      return undefined
    }
  }
  return {
    get: (name) => storage()?.getItem(PREFIX + name) ?? memory.get(name),
    set(name, value) {
      memory.set(name, value)
      try {
        storage()?.setItem(PREFIX + name, value)
      } catch {
        // No room left, or forbidden: it is kept until the page is closed.
        return
      }
    },
    remove(name) {
      memory.delete(name)
      storage()?.removeItem(PREFIX + name)
    },
  }
}

/** For all tabs, until it is removed. */
export const kept = openKeeper(() => localStorage)
/** For this tab, also after a reload. */
export const keptInTab = openKeeper(() => sessionStorage)
