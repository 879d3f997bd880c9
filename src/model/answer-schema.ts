// The one place where zod is used for the answers of models: steps describe an answer with zod and hand it over
// as the plain contract of `model/language-model.ts`, which knows no validator.

import { prettifyError, toJSONSchema, type ZodType } from 'zod'
import type { JsonObject } from '../domain/json.ts'
import type { AnswerSchema } from './language-model.ts'

export function answerSchema<Answer>(type: ZodType<Answer>): AnswerSchema<Answer> {
  const { $schema: _dialect, ...jsonSchema } = toJSONSchema(type, { io: 'input' })
  return {
    jsonSchema: jsonSchema as JsonObject,
    parse(value) {
      const result = type.safeParse(value)
      if (result.success) return result.data
      throw new TypeError(prettifyError(result.error), { cause: result.error })
    },
  }
}
