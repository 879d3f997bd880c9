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
  let isAsked = false
  try {
    for (;;) {
      isAsked = true
      const coming = source.next()
      if (!(await isSoon(coming))) await onQuiet()
      const { done, value } = await coming
      isAsked = false
      if (done === true) return
      yield value
    }
  } finally {
    // Who was asked for the next piece can only be let go when it has come, which may be never.
    if (!isAsked) await source.return?.()
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
