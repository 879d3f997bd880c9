import type { FactKind } from '../../../domain/fact.ts'
import type { CandidateAction } from '../candidate.ts'
import type { Statement } from '../text/read-clause.ts'

/** What a pattern makes of a statement. Subject, time and source are added by whoever asks. */
export interface Finding {
  readonly attribute: string
  readonly value?: string
  readonly action: CandidateAction
  readonly kind: FactKind
  readonly confidence: number
}

/** One way in which people say one thing. */
export interface Pattern {
  /** @default the speaker, and people they speak of */
  readonly of?: Statement['of']
  /** Matches the beginning of the predicate, and ends where the value begins. */
  readonly cue: RegExp
  readonly attribute: string | ((found: RegExpExecArray) => string)
  /** The value, or what reads it from the words behind the cue. Empty where an end means every value. */
  readonly value: string | ((rest: string, found: RegExpExecArray) => readonly string[])
  /** @default 'fact' */
  readonly kind?: FactKind
  /** @default 0.85 */
  readonly confidence?: number
  /** Only in the negative: "I don't eat …". */
  readonly isNegative?: true
  /** What a plain denial does: "I'm not vegetarian" ends it, "I don't have a dog" says nothing new. */
  readonly denial?: 'end'
  /** It says that something is over: "I left …". */
  readonly ends?: true
}

/** What the patterns find in a statement. */
export function findByPatterns(statement: Statement, patterns: readonly Pattern[]): Finding[] {
  const findings: Finding[] = []
  for (const pattern of patterns) {
    const action = isAbout(statement, pattern) ? actionOf(statement, pattern) : undefined
    const found = action === undefined ? null : pattern.cue.exec(statement.predicate)
    if (action !== undefined && found !== null)
      findings.push(...applyPattern(statement, pattern, { action, found }))
  }
  return findings
}

function applyPattern(
  statement: Statement,
  pattern: Pattern,
  { action, found }: { readonly action: CandidateAction; readonly found: RegExpExecArray },
): Finding[] {
  const rest = statement.predicate.slice(found.index + found[0].length)
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

function isAbout({ of }: Statement, pattern: Pattern): boolean {
  return pattern.of === undefined ? of === 'self' || of === 'other' : pattern.of === of
}

function actionOf({ isEnded, isNegated }: Statement, pattern: Pattern): CandidateAction | undefined {
  if (pattern.isNegative === true) return isNegated && !isEnded ? 'state' : undefined
  if (pattern.ends === true) return isNegated ? undefined : 'end'
  if (isEnded) return 'end'
  return isNegated ? pattern.denial : 'state'
}
