// Values shared by many schemas. Constraints that the memory checks itself (lengths, times, depth) are only
// described here: its error messages are better, and an application may have set other limits.

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../index.ts'

/** Replaces the JSON schema that zod would generate. */
export interface Described {
  readonly schema: Readonly<Record<string, unknown>>
}

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

/** A timestamp in a request. */
export const givenTime: z.ZodType<string> = z.string().meta({
  description: 'A time with its zone, such as 2026-05-01T12:00:00Z; where a day is enough, 2026-05-01.',
})

export const id: z.ZodType<string, string> = z.string().min(1)

/** Page size of a list. */
export const limit = (most: number, fallback: number): z.ZodType<number | undefined> =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .optional()
    .meta({ description: `The most items; ${fallback} unless given.` })

/** Continues a list: the `next` of the previous response. */
export const cursor: z.ZodType<string | undefined> = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .meta({ description: '`next` of the answer before.' })

/** The cursor of the next page; null at the end of a list. */
export const next: z.ZodType<string | null> = z
  .string()
  .nullable()
  .meta({ description: 'To be handed back for the next items; null at the end.' })

/** A boolean query parameter. */
export const flag: z.ZodType<boolean | undefined> = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .meta({ described: { schema: { type: 'boolean' } } })

/** An integer query parameter. */
export const wholeNumber: z.ZodType<number> = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
