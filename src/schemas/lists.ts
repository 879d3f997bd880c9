// Query parameters of the lists of the HTTP API. The server parses them, and the React client takes its types from
// them. Values arrive as text and are converted.

import { z } from 'zod'
import { ENTITY_TYPES } from '../domain/entity.ts'
import { factKind } from './knowledge.ts'
import { object } from './values.ts'

type Optional<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T]

/** What a client passes for query parameters. */
export type ListQuery<Schema extends z.ZodType> = Readonly<
  Omit<z.output<Schema>, Optional<z.output<Schema>>> & {
    [Name in Optional<z.output<Schema>>]?: Exclude<z.output<Schema>[Name], undefined>
  }
>

/** The query parameters of a route; others are rejected. */
export const queryOf = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<z.output<z.ZodObject<Shape>>> =>
  object('the query', shape) as unknown as z.ZodType<z.output<z.ZodObject<Shape>>>

const filled = z.string().min(1)

/** A timestamp. */
const moment = z.string().meta({
  description: 'A time with its zone, such as 2026-05-01T12:00:00Z; where a day is enough, 2026-05-01.',
})

/** Page size of a list. */
export const limit = (maximum: number, fallback: number): z.ZodType<number | undefined> =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(maximum)
    .optional()
    .meta({ description: `Maximum number of items. Default: ${fallback}.` })

/** Continues a list: the `next` of the previous response. */
export const cursor: z.ZodType<string | undefined> = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .meta({ description: '`next` of the previous response.' })

/** A boolean. */
export const flag: z.ZodType<boolean | undefined> = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .meta({ described: { schema: { type: 'boolean' } } })

export const wholeNumber: z.ZodType<number> = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const conversationList = queryOf({
  archived: z.enum(['without', 'only', 'with']).optional(),
  tag: filled.optional(),
  pinned: flag,
  limit: limit(1000, 50),
  cursor,
})

const place = z
  .union([filled, z.number()])
  .optional()
  .meta({
    description: 'A position or a message id; exclusive.',
    described: { schema: { type: 'string', minLength: 1 } },
  })

export const messageList = queryOf({
  after: place,
  before: place,
  direction: z.enum(['forwards', 'backwards']).optional(),
  limit: limit(1000, 100),
})

const q = filled.max(1000).meta({ description: 'Words that must all occur, "phrases", prefixes (lis*).' })
const searchFields = { q, limit: limit(1000, 20), cursor }

export const messageSearch = queryOf({ ...searchFields, conversationId: filled.optional() })
export const conversationSearch = queryOf(searchFields)

const page = { limit: limit(10_000, 500), cursor }

const factFilters = {
  subject: filled.optional(),
  attribute: filled.optional(),
  kind: factKind.optional(),
  asOf: moment.optional(),
  includeClosed: flag,
  includeRejected: flag,
  ...page,
}

export const conversationFactList = queryOf(factFilters)
export const factList = queryOf({ ...factFilters, conversationId: filled.optional() })

const entityFilters = { type: z.enum(ENTITY_TYPES).optional(), ...page }

export const conversationEntityList = queryOf(entityFilters)
export const entityList = queryOf({ ...entityFilters, conversationId: filled.optional() })

export const conversationNoteList = queryOf(page)
export const noteList = queryOf({ conversationId: filled.optional(), ...page })

export const preferenceList = queryOf({ subject: filled.optional() })

export const queryList = queryOf({
  question: z.string().min(1).max(20_000).optional(),
  limit: limit(1000, 50),
  after: wholeNumber.optional().meta({ description: 'Only queries after this position.' }),
  before: wholeNumber.optional().meta({ description: 'Only queries before this position.' }),
  onlyImportant: flag,
})

export const topicContext = queryOf({
  budgetTokens: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Maximum tokens of the text. Default: the option context.memoryTokens.' }),
})

export const topicCurves = queryOf({
  from: moment.optional(),
  to: moment.optional(),
  points: wholeNumber.optional().meta({ description: 'Points per curve, 1 to 1000. Default: 50.' }),
})

const count = z.int().min(0)

/** The response of `GET /api/health`. */
export const health = z.object({
  status: z.enum(['ok', 'degraded']),
  pendingJobs: count.meta({ description: '0 when all derived data is up to date.' }),
  deadJobs: count.meta({ description: 'Jobs that failed for good, until they are retried by hand.' }),
  failures: count.meta({ description: 'Conversations that could not be derived.' }),
  retention: z
    .object({
      at: z.string(),
      isDryRun: z.boolean(),
      conversations: count,
      queries: count,
      backups: count,
      failed: z.boolean(),
    })
    .optional()
    .meta({ description: 'The last run of the retention of this server; missing if there was none.' }),
})
