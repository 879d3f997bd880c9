import type { Clock } from '../../src/model/guard/guard.ts'

export interface FakeClock extends Clock {
  /** Advances time: runs due timers in order, including those they set. */
  advance(milliseconds: number): Promise<void>
  /** Number of pending timers. */
  waiting(): number
}

/** A clock that only advances when asked to; random() always returns 0.5. */
export function fakeClock(): FakeClock {
  let now = 1_000_000
  let timers: { readonly at: number; readonly run: () => void }[] = []
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    random: () => 0.5,
    after(milliseconds, run) {
      const timer = { at: now + milliseconds, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    waiting: () => timers.length,
    async advance(milliseconds) {
      const until = now + milliseconds
      await settle()
      for (;;) {
        const due = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter((timer) => timer !== due)
        now = Math.max(now, due.at)
        due.run()
        await settle()
      }
      now = until
    },
  }
}
