import type { FactKind } from '../../../domain/fact.ts'
import type { FactAction } from '../extracted-fact.ts'
import type { ParsedClause } from '../text/read-clause.ts'

/** What a pattern finds in a clause. The caller adds subject, time and source. */
export interface PatternMatch {
  readonly attribute: string
  readonly value?: string
  readonly action: FactAction
  readonly kind: FactKind
  readonly confidence: number
}

/** One way to say one thing. */
export interface Pattern {
  /** @default the speaker, and people they mention */
  readonly of?: ParsedClause['of']
  /** Matches the beginning of the predicate, up to where the value begins. */
  readonly cue: RegExp
  readonly attribute: string | ((found: RegExpExecArray) => string)
  /** The value, or a reader that takes it from the text after the cue. Empty if an end means every value. */
  readonly value: string | ((rest: string, found: RegExpExecArray) => readonly string[])
  /** @default 'fact' */
  readonly kind?: FactKind
  /** @default 0.85 */
  readonly confidence?: number
  /** Matches only negated clauses: "I don't eat …". */
  readonly isNegative?: true
  /** What a plain denial does: "I'm not vegetarian" ends the fact, "I don't have a dog" says nothing new. */
  readonly denial?: 'end'
  /** The pattern states that something ended: "I left …". */
  readonly ends?: true
}

/** What the patterns find in a clause. */
export function matchPatterns(parsed: ParsedClause, patterns: readonly Pattern[]): PatternMatch[] {
  const matches: PatternMatch[] = []
  for (const pattern of patterns) {
    const action = isAbout(parsed, pattern) ? actionOf(parsed, pattern) : undefined
    const found = action === undefined ? null : pattern.cue.exec(parsed.predicate)
    if (action !== undefined && found !== null)
      matches.push(...applyPattern(parsed, pattern, { action, found }))
  }
  return matches
}

function applyPattern(
  parsed: ParsedClause,
  pattern: Pattern,
  { action, found }: { readonly action: FactAction; readonly found: RegExpExecArray },
): PatternMatch[] {
  const rest = parsed.predicate.slice(found.index + found[0].length)
  const { attribute, value, kind = 'fact', confidence = 0.85 } = pattern
  const values = typeof value === 'string' ? [value] : value(rest, found)
  const name = typeof attribute === 'string' ? attribute : attribute(found)
  return values.map((one) => ({
    attribute: name,
    ...(one === '' ? {} : { value: one }),
    action,
    kind,
    confidence,
  }))
}

function isAbout({ of }: ParsedClause, pattern: Pattern): boolean {
  return pattern.of === undefined ? of === 'self' || of === 'other' : pattern.of === of
}

function actionOf({ isEnded, isNegated }: ParsedClause, pattern: Pattern): FactAction | undefined {
  if (pattern.isNegative === true) return isNegated && !isEnded ? 'state' : undefined
  if (pattern.ends === true) return isNegated ? undefined : 'end'
  if (isEnded) return 'end'
  return isNegated ? pattern.denial : 'state'
}
