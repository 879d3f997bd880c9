// Formats numbers and times in the browser's language.

const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

export const formatCount = (count: number): string => whole.format(count)
export const formatShort = (count: number): string => short.format(count)
export const formatTime = (at: string | Date): string => time.format(new Date(at))
export const formatDay = (at: string | Date): string => day.format(new Date(at))
export const formatMoment = (at: string | Date): string => full.format(new Date(at))

const UNITS = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "3 days ago". */
export function formatAgo(at: string | Date, now: number = Date.now()): string {
  const ms = new Date(at).getTime() - now
  const unit = UNITS.find(([, size]) => Math.abs(ms) >= size)
  return unit === undefined ? 'just now' : relative.format(Math.round(ms / unit[1]), unit[0])
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes === 0 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** Capitalizes a phrase and ends it with a period. */
export function toSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}
