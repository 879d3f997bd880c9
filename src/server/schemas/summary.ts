import { z } from 'zod'
import type { MadeSummary, RollingSummary, Summary } from '../../index.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { time } from './values.ts'

const words = {
  text: z.string(),
  keyTopics: z.array(z.string()),
  messageIds: z.array(z.string()),
  tokens: z.int(),
}

const sentences = z.array(z.object({ text: z.string(), messageId: z.string(), weight: z.number() }))

export const summary: WireSchema<Summary> = z.object({ ...words, sentences }).meta({ id: 'Summary' })

export const madeSummary: WireSchema<MadeSummary> = z
  .object({
    ...words,
    sentences,
    madeBy: z.string(),
    fallback: z
      .string()
      .optional()
      .meta({ description: 'Why the language model that there is did not make it.' }),
  })
  .meta({ id: 'MadeSummary' })

export const rollingSummary: WireSchema<RollingSummary> = z
  .object({
    ...words,
    through: z.int().meta({ description: 'It covers so many messages, from the first.' }),
    madeBy: z.string(),
    madeAt: time,
  })
  .meta({ id: 'RollingSummary' })
