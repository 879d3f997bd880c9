// The values that requests are made of.

import { z } from 'zod'
import { MemoryError } from '../domain/errors.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check, describeValue, isLibraryCheck, type LimitName, limitOf, raiseHint, refuse } from './check.ts'

/** Overrides what zod would write into the OpenAPI document. */
export interface Described {
  readonly schema: Readonly<Record<string, unknown>>
}

const described = (schema: Described['schema']): { readonly described: Described } => ({
  described: { schema },
})

type Exact<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> }

/** What callers pass: the input of a schema, with optional fields left out rather than undefined. */
export type Input<Schema extends z.ZodType> = Exact<z.input<Schema>>

type Payload<T> = z.core.ParsePayload<T>

/** An object with these fields and no others. `title` is how errors refer to it: "a fact". */
export function object<Shape extends z.core.$ZodShape>(
  title: string,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(', ')
  return z
    .strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? known : undefined) })
    .meta({ title })
}

/** A list that callers may pass as a readonly array. */
export const list = <Item extends z.ZodType>(
  item: Item,
): z.ZodType<readonly z.output<Item>[], readonly z.input<Item>[]> =>
  z.array(item) as unknown as z.ZodType<readonly z.output<Item>[], readonly z.input<Item>[]>

/** An unpaired surrogate is no character: only SQLite stores it, and providers reject it. */
function checkWellFormed(payload: Payload<string>): boolean {
  if (payload.value.isWellFormed()) return true
  refuse(payload, 'contains an unpaired surrogate', {
    hint: 'the text was cut inside an emoji or a similar character; text.toWellFormed() repairs it',
  })
  return false
}

function checkLength(payload: Payload<string>, limit: LimitName | number): boolean {
  const maximum = typeof limit === 'number' ? limit : limitOf(limit)
  const { length } = payload.value
  if (length <= maximum) return true
  refuse(payload, `has ${length} characters; the maximum is ${maximum}`, {
    hint: `shorten it${raiseHint(limit)}`,
    isTooLarge: true,
  })
  return false
}

function checkNotBlank(payload: Payload<string>): boolean {
  if (payload.value.trim() !== '') return true
  refuse(payload, 'must not be empty')
  return false
}

/** Text of any kind, line breaks included. */
export const text: z.ZodString = z.string().check((payload) => void checkWellFormed(payload))

/** Text that is not blank, up to a limit. */
export const filledText = (limit: LimitName | number): z.ZodString =>
  z
    .string()
    .check((payload) => {
      if (checkNotBlank(payload) && checkWellFormed(payload)) checkLength(payload, limit)
    })
    .meta({ minLength: 1 })

/** Line breaks and other control characters break logs, exports and terminals. */
const CONTROL = /\p{Cc}/u

/** An id, key, name, tag or title: text on one line. */
export const name = (limit: LimitName | number = 'idCharacters'): z.ZodString =>
  z
    .string()
    .check((payload) => {
      const isFine = checkNotBlank(payload) && checkLength(payload, limit) && checkWellFormed(payload)
      if (isFine && CONTROL.test(payload.value))
        refuse(payload, 'contains control characters', { hint: 'remove line breaks, tabs and NUL' })
    })
    .meta({ minLength: 1 })

export const id: z.ZodString = name()

/** One id, key or name passed as a separate argument. `what` is how errors refer to it: "a message id". */
export function checkName(value: unknown, what: string, limits: ResolvedLimits): string {
  return check(id, value, { limits, what })
}

// A time without a zone would mean another moment on every machine.
const ISO = /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))?)?)?$/

const isDateOrString = (value: unknown): value is Date | string =>
  value instanceof Date || typeof value === 'string'

const dateOrString = (hint: string): z.ZodCustom<Date | string, Date | string> =>
  z.custom<Date | string>(isDateOrString, {
    error: ({ input }) => `must be a Date or a string, not ${describeValue(input)}\n${hint}`,
  })

const MOMENT_HINT = 'use a Date, or a string such as 2026-05-01 or 2026-05-01T12:00:00Z'

/** A Date, or a string such as 2026-05-01 or 2026-05-01T12:00:00Z. */
export const moment: z.ZodType<Date, Date | string> = dateOrString(MOMENT_HINT)
  .transform((value, context) => {
    const date = value instanceof Date || ISO.test(value) ? new Date(value) : new Date(Number.NaN)
    const year = date.getUTCFullYear()
    if (year >= 0 && year <= 9999) return date
    refuse(context, `is not a date: ${describeValue(value)}`, { hint: MOMENT_HINT })
    return z.NEVER
  })
  .meta({
    description: 'A time with its zone, such as 2026-05-01T12:00:00Z; where a day is enough, 2026-05-01.',
    ...described({ type: 'string' }),
  })

const TIME_HINT = 'use a Date, or a string such as 2026-05-01T12:00:00Z'

/** When something was said: a time since 1970, in any form that Date reads. */
export const time: z.ZodType<Date, Date | string> = dateOrString(TIME_HINT)
  .transform((value, context) => {
    const date = new Date(value)
    if (date.getTime() >= 0) return date
    refuse(context, `is not a time since 1970: ${describeValue(value)}`, { hint: TIME_HINT })
    return z.NEVER
  })
  .meta({
    description: 'A time with its zone, such as 2026-05-01T12:00:00Z.',
    ...described({ type: 'string' }),
  })

/** Refuses a time that is further ahead of this machine's clock than `limits.futureMs`. */
export function checkNotFuture(date: Date, now: Date, { futureMs }: ResolvedLimits): Date {
  if (date.getTime() - now.getTime() <= futureMs) return date
  throw new MemoryError('invalid-input', `createdAt is in the future: ${date.toISOString()}`, {
    hint: 'is it in seconds, or in another time zone? At most one day ahead is accepted',
  })
}

/** Whether a value can be stored as JSON; adds the problem where it cannot. */
export function checkJson(
  payload: Payload<unknown>,
  depth: number,
  path: readonly PropertyKey[] = [],
): boolean {
  const problem = findJsonProblem(payload.value, depth)
  if (problem === undefined) return true
  refuse(payload, problem.message, { ...problem, path })
  return false
}

interface JsonProblem {
  readonly message: string
  readonly hint: string
  readonly isTooLarge?: boolean
}

/** What JSON or a store cannot hold: functions, dates, cycles, NaN, unpaired surrogates. */
export function findJsonProblem(value: unknown, depth: number): JsonProblem | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : SURROGATE
  if (isJsonScalar(value)) return undefined
  if (!Array.isArray(value) && !isPlainObject(value)) {
    return {
      message: `contains ${describeValue(value)}, which is not JSON`,
      hint: 'use strings, finite numbers, booleans, null, arrays and plain objects',
    }
  }
  if (depth === 0) return TOO_DEEP
  for (const [key, item] of Object.entries(value)) {
    const problem = key.isWellFormed() ? findItemProblem(item, depth - 1) : SURROGATE
    if (problem !== undefined) return problem
  }
  return undefined
}

const isJsonScalar = (value: unknown): boolean =>
  value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

/** Fields that are undefined are left out of JSON. */
const findItemProblem = (item: unknown, depth: number): JsonProblem | undefined =>
  item === undefined ? undefined : findJsonProblem(item, depth)

const SURROGATE: JsonProblem = {
  message: 'contains an unpaired surrogate',
  hint: 'the text was cut inside an emoji or a similar character; text.toWellFormed() repairs it',
}

const TOO_DEEP: JsonProblem = {
  message: 'is nested too deeply',
  hint: 'flatten it: the maximum is 32 levels',
  isTooLarge: true,
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** How many bytes a text takes as UTF-8. */
export function utf8Bytes(value: string): number {
  return new TextEncoder().encode(value).length
}

/** A JSON value. In the library the result is a copy: without undefined fields, and out of the caller's hands. */
export function json(bytes?: LimitName): z.ZodType<JsonValue, JsonValue> {
  return z
    .unknown()
    .check((payload) => {
      if (payload.value === undefined) refuse(payload, 'is required')
      else if (checkJson(payload, limitOf('depth')) && isLibraryCheck()) takeCopy(payload, bytes)
    })
    .meta(described({})) as unknown as z.ZodType<JsonValue, JsonValue>
}

/** A plain object of JSON values. In the library the result is a copy. */
export function jsonObject(bytes?: LimitName): z.ZodType<JsonObject, JsonObject> {
  return z
    .unknown()
    .check((payload) => {
      if (!isPlainObject(payload.value))
        refuse(payload, `must be a plain object, not ${describeValue(payload.value)}`)
      else if (checkJson(payload, limitOf('depth')) && isLibraryCheck()) takeCopy(payload, bytes)
    })
    .meta(described({ type: 'object' })) as unknown as z.ZodType<JsonObject, JsonObject>
}

function takeCopy(payload: Payload<unknown>, bytes: LimitName | undefined): void {
  const text = JSON.stringify(payload.value)
  const maximum = bytes === undefined ? Number.POSITIVE_INFINITY : limitOf(bytes)
  if (text.length > maximum || utf8Bytes(text) > maximum)
    refuse(payload, `has more than ${maximum} bytes as JSON`, {
      hint: 'store large values elsewhere and refer to them',
      isTooLarge: true,
    })
  else payload.value = JSON.parse(text)
}

/** A list is held in memory. */
export const MAX_LIST_LIMIT = 10_000

/** How many items a list may have. */
export const limit: z.ZodType<number, number> = z.int().min(1).max(MAX_LIST_LIMIT)

export const checkLimit = (value: unknown, fallback: number): number =>
  value === undefined ? fallback : check(limit, value, { what: 'limit' })
/** Ids of messages, topics or conversations. */
export const ids: z.ZodType<readonly string[], readonly string[]> = list(id).check((payload) => {
  const maximum = Math.min(limitOf('batchMessages'), MAX_LIST_LIMIT)
  if (payload.value.length > maximum)
    refuse(payload, `has ${payload.value.length} items; the maximum is ${maximum}`, { isTooLarge: true })
})
