/** Longer than a disk or a program that writes without a break ever takes. */
const QUIET_MS = 250

/**
 * Hands on what comes. Where nothing comes for a while, since whoever writes into a pipe is not done, `onQuiet` is called
 * before the next piece: nobody asks for anything else meanwhile.
 */
export async function* tellQuiet<T>(
  pieces: AsyncIterable<T>,
  onQuiet: () => Promise<void>,
): AsyncGenerator<T> {
  const source = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const coming = source.next()
      if (!(await isSoon(coming))) await onQuiet()
      const { done, value } = await coming
      if (done === true) return
      yield value
    }
  } finally {
    await source.return?.()
  }
}

async function isSoon(coming: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((tell) => {
    timer = setTimeout(() => tell(false), QUIET_MS)
  })
  const come = coming.then(
    () => true,
    () => true,
  )
  const isCome = await Promise.race([come, late])
  clearTimeout(timer)
  return isCome
}
