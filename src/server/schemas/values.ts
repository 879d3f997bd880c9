// Values shared by many schemas. Constraints that the memory checks itself (lengths, times, depth) are only
// described here: its error messages are better, and an application may have set other limits.

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../index.ts'

/** Any JSON value. Not validated here: the memory does that, up to its depth limit. */
export const jsonValue: z.ZodType<JsonValue, JsonValue> = z.unknown() as unknown as z.ZodType<
  JsonValue,
  JsonValue
>

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const jsonObject: z.ZodType<JsonObject> = z
  .unknown()
  .refine(isObject, 'expected an object')
  .meta({ described: { schema: { type: 'object' } } }) as unknown as z.ZodType<JsonObject>

/** A timestamp in a response. */
export const time: z.ZodType<string> = z.string().meta({ format: 'date-time' })

export const id: z.ZodType<string, string> = z.string().min(1)

/** The cursor of the next page; null at the end of a list. */
export const next: z.ZodType<string | null> = z
  .string()
  .nullable()
  .meta({ description: 'The cursor of the next page; null at the end.' })
