import { check } from '../schemas/check.ts'
import { moment } from '../schemas/values.ts'

export const acceptMoment = (value: unknown, what: string): Date => check(moment, value, { what })
