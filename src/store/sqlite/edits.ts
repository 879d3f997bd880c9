import { byKey } from '../batch.ts'
import type { Edit } from '../edits.ts'
import type { NamedEdits } from '../named-lists.ts'
import { type EditRow, toEdit } from '../sql/edits.ts'
import type { Connection } from './connection.ts'

const NAMED_EDITS = `SELECT s.key + 1 AS at, e.*, c.id AS conversation_id FROM json_each(?) s
  CROSS JOIN workspace w ON w.id = s.value ->> 0
  CROSS JOIN conversation c ON c.workspace = w.number AND c.id = s.value ->> 1
  CROSS JOIN json_each(s.value, '$[3]') k
  CROSS JOIN edit e ON e.workspace = w.number AND e.kind = k.value AND e.conversation = c.number
    AND e.key = s.value ->> 2
  ORDER BY e.number`

/** In one statement, like `readNamedItems`. */
export function readNamedEdits(
  connection: Connection,
  named: readonly NamedEdits[],
): readonly (readonly Edit[])[] {
  const names = named.map(({ workspace, conversation, key, kinds }) => [workspace, conversation, key, kinds])
  const rows = connection.all<EditRow & { readonly at: number }>(NAMED_EDITS, JSON.stringify(names))
  return byKey(named.length, rows).map((own) => own.map(toEdit))
}
