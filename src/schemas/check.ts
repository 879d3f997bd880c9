// One schema per request, checked by one function: at the library's door, where the limits of the memory apply, and
// over HTTP, where only the shape is checked before the library checks it again.
//
//  1. Schemas are built once, when their module is loaded. zod has no parse context, so `check` sets the limits in
//     force for the duration of one (synchronous) parse, and the checks of values.ts read them with `limitOf`.
//  2. Every failure is one MemoryError: the place of the field, what was expected and what came, and a hint.
//  3. A failed custom check writes its hint on the second line of its message.

import type { z } from 'zod'
import { MemoryError } from '../domain/errors.ts'
import { LIMIT_CONSTANTS, LIMIT_DEFAULTS, type ResolvedLimits } from '../options/limit-options.ts'

export type LimitName = keyof ResolvedLimits

const NO_LIMITS = Object.fromEntries(
  Object.keys({ ...LIMIT_DEFAULTS, ...LIMIT_CONSTANTS }).map((name) => [name, Number.POSITIVE_INFINITY]),
) as unknown as ResolvedLimits

let inForce: ResolvedLimits = NO_LIMITS

/** The limit in force in the current `check`; infinite over HTTP. */
export const limitOf = (name: LimitName): number => inForce[name]

/** The advice to raise a limit that is an option; empty for the others. */
export const raiseHint = (name: LimitName | number): string =>
  Object.hasOwn(LIMIT_DEFAULTS, name) ? `, or raise the option limits.${name}` : ''

/** False over HTTP: the library checks the value again and takes its own copy. */
export const isLibraryCheck = (): boolean => inForce !== NO_LIMITS

export interface CheckOptions {
  /** The limits of the memory. @default none, only the shape is checked */
  readonly limits?: ResolvedLimits
  /** How an error refers to the value itself: "a message", "the id of a key". @default the title of the schema */
  readonly what?: string
}

/** The parsed value, or a MemoryError with the code `invalid-input` or `too-large`. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { limits = NO_LIMITS, what }: CheckOptions = {},
): z.output<Schema> {
  const before = inForce
  inForce = limits
  try {
    const result = schema.safeParse(value, { reportInput: true })
    if (result.success) return result.data
    throw toMemoryError(result.error, what ?? schema.meta()?.title ?? 'the request')
  } finally {
    inForce = before
  }
}

type Issue = z.core.$ZodIssue

/** At most this many further problems are listed in the hint. */
const MAX_FURTHER_PROBLEMS = 5

export function toMemoryError(error: z.ZodError, what: string): MemoryError {
  const issues = error.issues.map(mostSpecific)
  const [first, ...more] = issues.map((issue) => describeIssue(issue, what))
  if (first === undefined) return new MemoryError('invalid-input', `${what} is invalid`)
  const further = more.slice(0, MAX_FURTHER_PROBLEMS).map(({ message }) => message)
  const hint = first.hint ?? (further.length > 0 ? `also: ${further.join('; ')}` : undefined)
  const code = isTooLarge(issues[0]) ? 'too-large' : 'invalid-input'
  return new MemoryError(code, first.message, hint === undefined ? {} : { hint })
}

/** Of a value that fits no branch of a union, the problem found deepest inside: that branch was meant. */
function mostSpecific(issue: Issue): Issue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [mostSpecific(first)]))
  const deepest = Math.max(...inner.map(depthOf))
  const best = inner.filter((one) => depthOf(one) === deepest)
  const expected = best.flatMap((one) => (one.code === 'invalid_type' ? [one.expected] : []))
  const [only] = best
  if (only === undefined) return issue
  const path = [...issue.path, ...only.path]
  if (expected.length < 2 || expected.length < best.length) return { ...only, path }
  return { ...only, path, expected: expected.join(' or ') } as Issue
}

/** A missing field, and the wrong kind of value, say least about which branch was meant. */
function depthOf({ code, path, input }: Issue): number {
  if (input === undefined && path.length > 0) return path.length * 2 - 1
  return path.length * 2 + (code === 'invalid_type' ? 0 : 1)
}

const isTooLarge = (issue: Issue | undefined): boolean =>
  issue !== undefined &&
  (issue.code === 'custom'
    ? issue.params?.['isTooLarge'] === true
    : issue.code === 'too_big' && issue.origin !== 'number' && issue.origin !== 'int')

interface Problem {
  readonly message: string
  readonly hint?: string
}

function describeIssue(issue: Issue, what: string): Problem {
  const place = toPlace(issue.path) || what
  if (issue.code === 'unrecognized_keys') {
    const [known = '', inside = ''] = [issue.message, issue.path.length === 0 ? what : place]
    const hint = known.startsWith('Unrecognized') ? undefined : `known fields: ${known}`
    return { message: `unknown field "${issue.keys[0]}" in ${inside}`, ...(hint !== undefined && { hint }) }
  }
  if (issue.code === 'custom') {
    const [message = '', hint] = issue.message.split('\n')
    return { message: `${place} ${message}`, ...(hint !== undefined && { hint }) }
  }
  const input = inputOf(issue)
  if (input === undefined && issue.path.length > 0) return { message: `${place} is required` }
  return { message: `${place} must ${toRequirement(issue)}, not ${describeValue(input)}` }
}

/** For an unknown discriminator, zod reports the whole object. */
function inputOf(issue: Issue): unknown {
  const { discriminator } = issue as { discriminator?: string }
  if (discriminator === undefined) return issue.input
  return (issue.input as Record<string, unknown> | undefined)?.[discriminator]
}

function toRequirement(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `be ${issue.expected.split(' or ').map(nameType).join(' or ')}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `be ${JSON.stringify(issue.values[0])}`
        : `be one of ${issue.values.join(', ')}`
    case 'invalid_union':
      return `be one of ${(issue as { options?: readonly unknown[] }).options?.join(', ') ?? 'the known kinds'}`
    case 'too_small':
      return toBound(issue.origin, issue.minimum, 'at least')
    case 'too_big':
      return toBound(issue.origin, issue.maximum, 'at most')
    default:
      return issue.message
  }
}

function toBound(origin: string, bound: number | bigint, how: string): string {
  if (origin === 'string') return `have ${how} ${bound} characters`
  if (origin === 'array') return `have ${how} ${bound} items`
  return `be ${how} ${bound}`
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'an array'],
  ['null', 'null'],
])

const nameType = (type: string): string => TYPES.get(type) ?? type

const toPlace = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')

const MAX_QUOTED_CHARACTERS = 60

/** Short values are quoted; of others only the kind is named, which keeps content out of logs. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length <= MAX_QUOTED_CHARACTERS
      ? JSON.stringify(value)
      : `a string of ${value.length} characters`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  return describeObject(value)
}

function describeObject(value: object): string {
  const { constructor: made } = value as { constructor?: unknown }
  const name = typeof made === 'function' ? made.name : ''
  return name === '' || name === 'Object' ? 'an object' : `a ${name}`
}

interface RefusalDetails {
  readonly hint?: string
  readonly isTooLarge?: boolean
  /** Where in the value. */
  readonly path?: readonly PropertyKey[]
}

/** Adds a problem from a custom check. The message continues a sentence that begins with the place of the value. */
export function refuse(
  payload: z.core.ParsePayload,
  message: string,
  { hint, isTooLarge: tooLarge = false, path = [] }: RefusalDetails = {},
): void {
  payload.issues.push({
    code: 'custom',
    input: payload.value,
    path: [...path],
    message: hint === undefined ? message : `${message}\n${hint}`,
    params: { isTooLarge: tooLarge },
  })
}
