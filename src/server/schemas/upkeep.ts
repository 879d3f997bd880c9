import { z } from 'zod'
import {
  type Activity,
  type Erased,
  type Finding,
  type Key,
  SECTIONS,
  type StoreStatistics,
} from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import type { ListedImport } from '../uploads.ts'
import { time } from './responses.ts'

export const erased: WireSchema<Erased> = z
  .object({
    messages: z.int(),
    conversations: z.int(),
    pages: z.int(),
    queries: z.int(),
    documents: z.int(),
    isScrubbed: z.boolean().meta({
      description:
        'False while another process still reads the old data; finish-erasing completes the erasure.',
    }),
    copiesIn: z
      .array(z.string())
      .meta({ description: 'Other conversations, mostly forks, with copies of the erased messages.' }),
  })
  .meta({ id: 'Erased' })

const count = z.int().min(0)

/** Statistics of a workspace. The size of the store is only visible to admins. */
export type Statistics = Omit<StoreStatistics, 'storageBytes'> & { readonly storageBytes?: number }

export const statistics: WireSchema<Statistics> = z
  .object({
    conversations: count,
    archivedConversations: count,
    messages: count,
    turns: count.meta({ description: 'Messages of users.' }),
    conversationSeconds: count.meta({
      description: 'Sum over all conversations of the time from their creation to their last use.',
    }),
    erasedMessages: count,
    compressedMessages: count,
    savedBytes: z.int(),
    tokens: count,
    receipts: count,
    pages: count,
    queries: count,
    documents: count,
    chunks: count,
    topics: count,
    entities: count,
    statements: count,
    summaries: count,
    edits: count,
    waitingJobs: count,
    runningJobs: count,
    deadJobs: count,
    storageBytes: count.optional().meta({ description: 'For the whole store; admins only.' }),
  })
  .meta({ id: 'Statistics' })

export const activity: WireSchema<Activity> = z
  .object({
    days: z.array(
      z.object({
        day: z.string(),
        messages: count,
        tokens: count,
        contexts: count,
        contextTokens: count.meta({ description: 'Tokens sent to models.' }),
        historyTokens: count.meta({ description: 'Tokens of the whole conversations.' }),
      }),
    ),
    sections: z
      .partialRecord(z.enum(SECTIONS), count)
      .meta({ description: 'Tokens of the contexts, by section.' }),
  })
  .meta({ id: 'Activity' })

export const finding: WireSchema<Finding> = z
  .object({ check: z.string(), problem: z.string().optional(), remedy: z.string().optional() })
  .meta({ id: 'Finding' })

const importedFields = {
  format: z
    .enum(['recollect', 'chatgpt', 'claude', 'librechat', 'open-webui', 'openai', 'mem0'])
    .optional()
    .meta({ description: 'Missing if it could not be determined.' }),
  conversations: count,
  messages: count,
  known: count,
  forks: count,
  facts: count,
  pages: count,
  queries: count,
  documents: count,
  edits: count,
  skipped: count,
  problems: z
    .array(z.object({ place: z.string(), reason: z.string(), isSkipped: z.boolean() }))
    .meta({ description: 'The first thousand.' }),
}

export const listedImport: WireSchema<ListedImport> = z
  .object({
    ...importedFields,
    listed: z
      .array(
        z.object({
          id: z.string(),
          title: z.string().optional(),
          createdAt: time.optional(),
          isNew: z.boolean(),
          messages: count,
          known: count,
          forks: count,
          skipped: count,
        }),
      )
      .meta({ description: 'The first two hundred conversations of other programs.' }),
  })
  .meta({ id: 'Imported' })

export const scope: z.ZodType<Key['scope'], Key['scope']> = z.enum(['metrics', 'read', 'write', 'admin'])

export const key: WireSchema<Key> = z
  .object({
    id: z.string(),
    workspace: z.string(),
    name: z.string(),
    scope,
    createdAt: time,
    lastUsedAt: time.optional(),
  })
  .meta({ id: 'Key' })
