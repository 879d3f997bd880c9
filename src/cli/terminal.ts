// Output helpers of the commands. Colours are used only on a terminal without NO_COLOR; progress goes to standard error,
// so that pipes stay clean.

const isColourful = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined

const style = (code: number) => (text: string) => (isColourful ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold: (text: string) => string = style(1)
export const dim: (text: string) => string = style(2)
export const red: (text: string) => string = style(31)
export const green: (text: string) => string = style(32)
export const yellow: (text: string) => string = style(33)

export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** `1 message`, `2,000 messages`. */
export const countOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const number = bytes / 1000 ** power
  return `${power === 0 ? number : number.toFixed(1)} ${units[power]}`
}

export const formatTime = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ')

/** Positions of messages: `#3, #5–9`. */
export const formatRuns = (runs: readonly (readonly [number, number])[]): string =>
  runs.map(([from, to]) => (from === to ? `#${from}` : `#${from}–${to}`)).join(', ')

/** Characters per line; 120 for a pipe. */
export const terminalWidth = (): number => process.stdout.columns ?? 120

/** One line of at most `most` characters, without control characters. */
export function clip(text: string, most: number): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`
}

/** Prints rows in columns; the first row is the heading. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  for (const [i, row] of rows.entries()) {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
    print(i === 0 ? dim(line) : line)
  }
}
