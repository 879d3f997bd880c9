import { MemoryError } from '../domain/errors.ts'

interface JsonRules {
  /** What it is, for the error: `metadata`, `content[2].arguments`. */
  readonly what: string
  readonly depth: number
}

/** Refuses what JSON or a store cannot hold: functions, dates, loops, numbers without end, half characters. */
export function acceptJson(value: unknown, rules: JsonRules): void {
  if (value === null || typeof value === 'boolean') return
  if (typeof value === 'string') {
    acceptText(value, rules.what)
    return
  }
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (!Array.isArray(value) && !isPlainObject(value)) {
    throw new MemoryError(
      'invalid-input',
      `${rules.what} holds something that JSON cannot: ${describe(value)}`,
      {
        hint: 'use strings, finite numbers, booleans, null, arrays and plain objects',
      },
    )
  }
  if (rules.depth === 0) {
    throw new MemoryError('too-large', `${rules.what} is nested too deeply`, {
      hint: 'flatten it, or raise the option limits.depth',
    })
  }
  for (const [key, item] of Object.entries(value)) {
    acceptText(key, rules.what)
    if (item !== undefined) acceptJson(item, { ...rules, depth: rules.depth - 1 })
  }
}

/** Half of a surrogate pair is no character: no store but SQLite keeps it, and no provider takes it. */
export function acceptText(text: string, what: string): void {
  if (text.isWellFormed()) return
  throw new MemoryError('invalid-input', `${what} has half of a character in it (a lone surrogate)`, {
    hint: 'the text was probably cut inside an emoji; text.toWellFormed() repairs it',
  })
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function describe(value: unknown): string {
  return typeof value === 'object'
    ? (value?.constructor?.name ?? 'an object')
    : `${typeof value} ${String(value)}`
}

/** How many bytes a text takes as UTF-8. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
