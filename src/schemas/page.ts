import { z } from 'zod'
import type { JsonObject } from '../domain/json.ts'
import { INTENTS } from '../domain/page.ts'
import { filledText, type Input, id, json, jsonObject, name, object, time } from './values.ts'

interface NewActiveFile {
  readonly id: string
  readonly name?: string | null | undefined
  readonly metadata?: JsonObject | undefined
}

const activeFile = object('activeFile', {
  id,
  name: name('titleCharacters').nullable().optional(),
  metadata: jsonObject().optional(),
})
  .catchall(json())
  .meta({
    description: 'Other fields are added to its metadata.',
  }) as unknown as z.ZodType<NewActiveFile, NewActiveFile>

export const pageChanges = object('a page', {
  activeFile: activeFile.nullable().optional(),
  currentTopic: name('titleCharacters').nullable().optional(),
  /** Merged key by key: a key left out stays, `null` removes it. */
  entities: jsonObject().nullable().optional(),
  /** Merged key by key: a key left out stays, `null` removes it. */
  preferences: jsonObject().nullable().optional(),
}).meta({ id: 'PageChanges', title: 'a page', description: 'Objects are merged key by key; `null` clears.' })

/** What to change of a page. A field left out stays, `null` clears it. */
export type PageChanges = Input<typeof pageChanges>

export const newQuery = object('a query', {
  /** Adding the same id twice returns the first result and writes nothing. @default generated */
  id: id
    .optional()
    .meta({ description: 'Sending the same id again writes nothing and returns the first result.' }),
  query: filledText('queryCharacters'),
  /** @default worked out from the text, the SQL and the previous query */
  intent: z.enum(INTENTS).optional().meta({ description: 'Worked out if left out.' }),
  sql: filledText('queryCharacters').nullable().optional(),
  /** Usually rows. Of results that are too large, the first rows are kept, and `resultsTruncated` says so. */
  results: json().optional(),
  response: filledText('responseCharacters').nullable().optional(),
  /** Flagged queries are part of every selection. @default false */
  important: z.boolean().optional(),
  /** When it was asked. @default now */
  createdAt: time.optional(),
}).meta({ id: 'NewQuery', title: 'a query' })

/** A query as the application passes it in. */
export type NewQuery = Input<typeof newQuery>
