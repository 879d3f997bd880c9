// The checks of `doctor` for documents and chunks.

import { type PackedText, unpackText } from '../document-text.ts'
import { type Check, REBUILD } from './check-rule.ts'
import type { Session } from './session.ts'

export const DOCUMENT_CHECKS: readonly Check[] = [
  {
    check: 'chunks have no gaps, and counts of them are right',
    sql: `SELECT count(*) AS count FROM document d LEFT JOIN (SELECT document, count(*) AS chunks, max(position) AS last
        FROM chunk WHERE workspace = $1 GROUP BY 1) k ON k.document = d.number
      WHERE d.workspace = $1 AND (d.chunk_count <> coalesce(k.chunks, 0) OR k.last <> k.chunks - 1)`,
    tell: (count) => `${count} documents and their chunks do not fit together`,
    remedy: REBUILD,
  },
  {
    check: 'chunks have all of the text of their document',
    sql: `SELECT count(*) AS count FROM document d WHERE d.workspace = $1 AND (d.characters <> coalesce(
        (SELECT max(ends_at) FROM chunk k WHERE k.workspace = $1 AND k.document = d.number), 0)
      OR EXISTS (SELECT 1 FROM chunk k JOIN chunk next ON next.workspace = $1 AND next.document = k.document
        AND next.position = k.position + 1 WHERE k.workspace = $1 AND k.document = d.number AND next.starts_at > k.ends_at))`,
    tell: (count) => `${count} documents have words that are in no chunk`,
    remedy: REBUILD,
  },
  {
    check: 'documents are attached where conversations say so',
    sql: `SELECT count(*) AS count FROM conversation c WHERE c.workspace = $1 AND json_array_length(c.documents::json)
      <> (SELECT count(*) FROM attachment a WHERE a.workspace = $1 AND a.conversation = c.number)`,
    tell: (count) => `the attachments of ${count} conversations are on one side only`,
    remedy: REBUILD,
  },
]

interface KeptText {
  readonly id: string
  readonly characters: number
  readonly text: Uint8Array | null
  readonly blocks: Uint8Array | null
}

/** Reads one document at a time, since each may be large. */
export async function findUnreadable(session: Session, workspace: number): Promise<readonly string[]> {
  const rows = await session.all<{ number: number }>(
    'SELECT number FROM document WHERE workspace = $1 ORDER BY number',
    workspace,
  )
  const bad: string[] = []
  for (const { number } of rows) {
    const kept = await session.get<KeptText>(
      `SELECT d.id, d.characters, t.text, t.blocks FROM document d
       LEFT JOIN document_text t ON t.workspace = d.workspace AND t.document = d.number
       WHERE d.workspace = $1 AND d.number = $2`,
      workspace,
      number,
    )
    if (kept !== undefined && !isWhole(kept)) bad.push(`the text of the document "${kept.id}" is damaged`)
  }
  return bad
}

function isWhole({ characters, text, blocks }: KeptText): boolean {
  if (text === null || blocks === null) return false
  const packed: PackedText = { text, blocks }
  try {
    return unpackText(packed).text.length === characters
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return false
  }
}
