import { byKey } from '../batch.ts'
import type { Edit } from '../edits.ts'
import type { NamedEdits } from '../named-lists.ts'
import { type EditRow, toEdit } from '../sql/edits.ts'
import type { Session } from './session.ts'

export async function readNamedEdits(
  session: Session,
  named: readonly NamedEdits[],
): Promise<readonly (readonly Edit[])[]> {
  const rows = await session.all<EditRow & { at: number }>(
    `SELECT s.at, e.*, c.id AS conversation_id FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
       AS s (workspace, conversation, key, at)
     JOIN workspace w ON w.id = s.workspace
     JOIN conversation c ON c.workspace = w.number AND c.id = s.conversation
     JOIN edit e ON e.workspace = c.workspace AND e.conversation = c.number AND e.key = s.key
       AND e.kind = ANY($4::text[]) ORDER BY e.number`,
    named.map(({ workspace }) => workspace),
    named.map(({ conversation }) => conversation),
    named.map(({ key }) => key),
    [...new Set(named.flatMap(({ kinds }) => kinds))],
  )
  return byKey(named.length, rows).map((own, i) =>
    own.filter(({ kind }) => (named[i] as NamedEdits).kinds.includes(kind)).map(toEdit),
  )
}
