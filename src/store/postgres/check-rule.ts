import type { Session } from './session.ts'

/** One check of `doctor`. It runs on each workspace in turn. */
export interface Check {
  readonly check: string
  /** Counts the rows of workspace $1 that violate the rule. */
  readonly sql: string
  /** One sentence about the total of all workspaces. */
  readonly tell: (count: number) => string
  readonly remedy: string
}

export const REBUILD =
  'run `recollect rebuild` to rebuild counts and the search index from messages, queries and documents'
export const RESTORE = 'restore the database from a backup; export what can still be read first'

export async function countWrong(
  session: Session,
  { sql }: Check,
  workspaces: readonly number[],
): Promise<number> {
  let sum = 0
  for (const workspace of workspaces)
    sum += (await session.get<{ count: number }>(sql, workspace))?.count ?? 0
  return sum
}
