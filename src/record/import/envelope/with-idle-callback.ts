/** Longer than a disk or a program that writes continuously ever takes. */
const IDLE_MS = 250

/**
 * Passes a stream through and calls `onIdle` when the next chunk takes long to arrive, for example in a pipe whose
 * writer pauses.
 */
export async function* withIdleCallback<T>(
  pieces: AsyncIterable<T>,
  onIdle: () => Promise<void>,
): AsyncGenerator<T> {
  const source = pieces[Symbol.asyncIterator]()
  let isPending = false
  try {
    for (;;) {
      isPending = true
      const next = source.next()
      if (!(await arrivesSoon(next))) await onIdle()
      const { done, value } = await next
      isPending = false
      if (done === true) return
      yield value
    }
  } finally {
    // While a read is pending, `return` would wait for it, possibly forever.
    if (!isPending) await source.return?.()
  }
}

async function arrivesSoon(next: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), IDLE_MS)
  })
  const arrived = next.then(
    () => true,
    () => true,
  )
  const hasArrived = await Promise.race([arrived, late])
  clearTimeout(timer)
  return hasArrived
}
