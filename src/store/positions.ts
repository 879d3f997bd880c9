/** Writes ordered positions as text: "3-9,12". */
export function writePositions(positions: readonly number[]): string {
  const runs: [first: number, last: number][] = []
  for (const position of positions) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === position - 1) run[1] = position
    else runs.push([position, position])
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** Far more than a block contains. */
const LONGEST_RUN = 10_000

/** Skips anything that is not a position, since the text may come from a damaged file. */
export function readPositions(text: string): readonly number[] {
  const positions: number[] = []
  for (const run of text.split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(run) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (!Number.isSafeInteger(to) || to - from >= LONGEST_RUN) continue
    for (let position = from; position <= to; position++) positions.push(position)
  }
  return positions
}
