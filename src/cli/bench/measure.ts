/** The latency of sequential calls. */
export interface Measured {
  readonly what: string
  readonly about: string
  readonly calls: number
  readonly p50Ms: number
  readonly p95Ms: number
}

export interface Measuring {
  readonly what: string
  readonly about: string
  readonly calls: number
  call(index: number): Promise<unknown>
}

/** Runs a tenth of the calls unmeasured first, as a warm-up. */
export async function measure(
  { what, about, calls, call }: Measuring,
  onCall: (done: number) => void = () => undefined,
): Promise<Measured> {
  const warmUp = Math.ceil(calls / 10)
  const times: number[] = []
  for (let i = 0; i < warmUp + calls; i++) {
    const started = performance.now()
    await call(i)
    if (i >= warmUp) times.push(performance.now() - started)
    onCall(i + 1)
  }
  return { what, about, calls, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) }
}

/** The nearest-rank percentile; `share` is 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
