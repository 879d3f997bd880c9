import { cpus } from 'node:os'

/** Says of a row whether it keeps its aim; rows without one only inform. */
export function judge(row) {
  if (row.aim === undefined) return row
  return { ...row, holds: keeps(row) }
}

function keeps({ ours, ratio, aim }) {
  if (aim.ratio !== undefined) return ratio <= aim.ratio
  return aim.least === undefined ? ours < aim.most : ours >= aim.least
}

export const machine = () => ({
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
})

const HEADINGS = ['what', 'floor', 'ours', 'ratio', 'aim', 'holds']

export function toTable(rows) {
  const lines = [HEADINGS, ...rows.map(toCells)]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)))
  const toLine = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')
  const rule = widths.map((width) => '-'.repeat(width)).join('-|-')
  const [head, ...rest] = lines.map((cells) => `| ${toLine(cells)} |`)
  return [head, `|-${rule}-|`, ...rest].join('\n')
}

function toCells({ what, unit, floor, ours, ratio, aim, holds }) {
  return [
    what,
    floor === undefined ? '' : toFigure(floor, unit),
    toFigure(ours, unit),
    ratio === undefined ? '' : ratio.toFixed(2),
    toAim(aim, unit),
    toVerdict(holds),
  ]
}

function toAim(aim, unit) {
  if (aim === undefined) return ''
  if (aim.ratio !== undefined) return `≤ ${aim.ratio} ×`
  return aim.least === undefined ? `< ${toFigure(aim.most, unit)}` : `≥ ${toFigure(aim.least, unit)}`
}

function toFigure(figure, unit) {
  const digits =
    unit === 'ms' && figure < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 }
  return `${figure.toLocaleString('en', digits)} ${unit}`
}

function toVerdict(holds) {
  if (holds === undefined) return ''
  return holds ? 'yes' : 'NO'
}
