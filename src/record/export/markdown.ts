import type { JsonValue } from '../../domain/json.ts'

/** A fence longer than any run of backticks inside. */
export function fence(value: JsonValue, language: string = typeof value === 'string' ? '' : 'json'): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}\n${ticks}`
}

export const toMinute = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ')
