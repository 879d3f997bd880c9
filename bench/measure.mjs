// Times are compared as ratios within one run: floor and ours alternate, so that other load on the machine affects
// both, and the median over the rounds ignores disturbed rounds.

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  return below + (sorted[Math.ceil(place)] - below) * (place - Math.floor(place))
}

export const median = (values) => quantile(values, 0.5)

/** How many milliseconds `work` takes. */
export async function timeMs(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The time of each of `count` calls, after some that are not counted. */
export async function timesMs(count, work) {
  const warmUp = Math.ceil(count / 10)
  for (let i = 0; i < warmUp; i++) await work(i)
  const times = []
  for (let i = 0; i < count; i++) times.push(await timeMs(() => work(warmUp + i)))
  return times
}

/**
 * Runs two contestants alternately. Each is called with the number of the round and returns its figure for
 * that round; the order alternates, too.
 */
export async function takeTurns({ rounds, floor, ours }) {
  const figures = { floor: [], ours: [] }
  const warmUp = Math.ceil(rounds / 10)
  for (let round = 0; round < warmUp + rounds; round++) {
    const [first, second] = round % 2 === 0 ? ['floor', 'ours'] : ['ours', 'floor']
    const contestants = { floor, ours }
    const result = { [first]: await contestants[first](round), [second]: await contestants[second](round) }
    if (round < warmUp) continue
    figures.floor.push(result.floor)
    figures.ours.push(result.ours)
  }
  return {
    floor: median(figures.floor),
    ours: median(figures.ours),
    ratio: median(figures.ours.map((figure, i) => figure / figures.floor[i])),
  }
}
