/** No chat is older than this in seconds, and none younger in milliseconds: the year 5138, and 1973. */
const SECONDS_BELOW = 1e11
const MILLISECONDS_BELOW = 1e14
const MICROSECONDS_BELOW = 1e17

/** A moment, written as seconds, milliseconds, microseconds or nanoseconds since 1970, or as a text. */
export function readTime(value: unknown): Date | undefined {
  const moment = typeof value === 'string' ? readText(value.trim()) : readNumber(value)
  return moment === undefined || Number.isNaN(moment.getTime()) ? undefined : moment
}

function readNumber(value: unknown): Date | undefined {
  if (typeof value !== 'number' || value === 0) return undefined
  if (value < SECONDS_BELOW) return new Date(Math.round(value * 1000))
  if (value < MILLISECONDS_BELOW) return new Date(Math.round(value))
  return new Date(Math.round(value / (value < MICROSECONDS_BELOW ? 1e3 : 1e6)))
}

const WITHOUT_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/

function readText(text: string): Date | undefined {
  if (/^\d{9,19}(?:\.\d+)?$/.test(text)) return readNumber(Number(text))
  // Servers write their times in UTC; read as they stand, they would mean another moment on every machine.
  const [, day, time] = WITHOUT_ZONE.exec(text) ?? []
  if (day !== undefined) return new Date(`${day}T${time}Z`)
  return /\d{4}/.test(text) ? new Date(text) : undefined
}
