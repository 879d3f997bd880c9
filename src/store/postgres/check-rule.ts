import type { Session } from './session.ts'

/** One thing that `doctor` looks at, in one workspace after the other. */
export interface Check {
  readonly check: string
  /** How many rows of the workspace, $1, should not be there. */
  readonly sql: string
  /** One sentence; of all workspaces together. */
  readonly tell: (count: number) => string
  readonly remedy: string
}

export const REBUILD =
  'run `recollect rebuild`: it makes counts and the search index anew from messages, queries and documents'
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
