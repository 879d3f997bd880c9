/** Loads when it is first asked for, and once, unless it fails: then the next who asks has another go. */
export function memoizeAsync<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
