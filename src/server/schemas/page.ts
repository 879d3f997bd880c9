import { z } from 'zod'
import type { PageState, Query } from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { jsonObject, jsonValue, time } from './values.ts'

export const page: WireSchema<PageState> = z
  .object({
    pageId: z.string(),
    activeFile: z.object({ id: z.string(), name: z.string().optional() }).nullable(),
    currentTopic: z.string().nullable(),
    entities: jsonObject,
    preferences: jsonObject,
    queryCount: z.int(),
    createdAt: time,
    updatedAt: time,
    lastUsedAt: time,
  })
  .meta({ id: 'PageState' })

export const query: WireSchema<Query> = z
  .object({
    id: z.string(),
    pageId: z.string(),
    position: z.int(),
    query: z.string(),
    intent: z.enum(['general_chat', 'data_query', 'hybrid']),
    sql: z.string().nullable(),
    results: jsonValue,
    resultsTruncated: z.object({ rows: z.int().optional(), bytes: z.int() }).optional(),
    response: z.string().nullable(),
    important: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'Query' })
