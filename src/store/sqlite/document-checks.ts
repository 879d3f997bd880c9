// The `doctor` checks of documents and chunks.

import { type PackedText, unpackText } from '../document-text.ts'
import { type Check, noneOf, REBUILD } from './check-rule.ts'
import type { Connection } from './connection.ts'

const ADD_AGAIN = 'erase these documents and add them again; everything else is readable'

export const DOCUMENT_CHECKS: readonly Check[] = [
  {
    check: 'the text of every document can be read',
    find: findUnreadable,
    remedy: ADD_AGAIN,
  },
  {
    check: 'every chunk can be read',
    find: noneOf(
      'SELECT count(*) AS count FROM chunk WHERE NOT json_valid(heading_path)',
      (count) => `the headings of ${count} chunks are not valid JSON`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'chunks belong to a document, and have no gaps',
    find: noneOf(
      `SELECT (SELECT count(*) FROM chunk k WHERE NOT EXISTS (SELECT 1 FROM document d WHERE d.number = k.place >> 24)) +
         (SELECT count(*) FROM document d JOIN
           (SELECT place >> 24 AS document, count(*) AS chunks, max(place & 0xffffff) AS last FROM chunk GROUP BY 1) k
           ON k.document = d.number WHERE k.last <> k.chunks - 1) AS count`,
      (count) => `${count} chunks or documents do not match`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'chunk counts are correct',
    find: noneOf(
      `SELECT count(*) AS count FROM document d LEFT JOIN
         (SELECT place >> 24 AS document, count(*) AS chunks FROM chunk GROUP BY 1) k ON k.document = d.number
       WHERE d.chunk_count <> coalesce(k.chunks, 0)`,
      (count) => `${count} documents have a wrong chunk count`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'chunks cover the whole text of their document',
    find: noneOf(
      `SELECT count(*) AS count FROM document d WHERE d.characters <>
           coalesce((SELECT max(ends_at) FROM chunk k WHERE k.place >= d.number << 24 AND k.place < (d.number + 1) << 24), 0)
         OR EXISTS (SELECT 1 FROM chunk k JOIN chunk next ON next.place = k.place + 1
           WHERE k.place >= d.number << 24 AND k.place < (d.number + 1) << 24 AND next.starts_at > k.ends_at)`,
      (count) => `${count} documents have text that is in no chunk`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains every chunk',
    find: noneOf(
      `SELECT count(*) AS count FROM chunk k
       WHERE NOT EXISTS (SELECT 1 FROM chunk_words_docsize d WHERE d.id = k.place)`,
      (count) => `${count} chunks are not in the search index`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains only existing chunks',
    find: noneOf(
      `SELECT count(*) AS count FROM chunk_words_docsize d
       WHERE NOT EXISTS (SELECT 1 FROM chunk k WHERE k.place = d.id)`,
      (count) => `${count} search index entries have no chunk`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'attachments match between documents and conversations',
    find: noneOf(
      `SELECT (SELECT count(*) FROM attachment a JOIN conversation c ON c.number = a.conversation
           WHERE a.workspace <> c.workspace OR NOT EXISTS (SELECT 1 FROM json_each(c.documents) WHERE value = a.document_id)) +
         (SELECT count(*) FROM conversation c, json_each(c.documents) d
           WHERE NOT EXISTS (SELECT 1 FROM attachment a WHERE a.conversation = c.number AND a.document_id = d.value)) AS count`,
      (count) => `${count} attachments are recorded on one side only`,
    ),
    remedy: REBUILD,
  },
]

interface KeptText extends PackedText {
  readonly id: string
  readonly characters: number
}

/** One at a time, since each may be large. */
function findUnreadable(connection: Connection): readonly string[] {
  const numbers = connection.all<{ number: number }>('SELECT number FROM document ORDER BY number')
  const bad = numbers.flatMap(({ number }) => {
    const kept = connection.get<KeptText>(
      `SELECT d.id, d.characters, t.text, t.blocks FROM document d LEFT JOIN document_text t ON t.document = d.number
       WHERE d.number = ?`,
      number,
    )
    return kept === undefined || isWhole(kept) ? [] : [kept.id]
  })
  if (bad.length === 0) return []
  const shown = bad.slice(0, 5).map((id) => `"${id}"`)
  return [`the text of ${bad.length} documents is damaged: ${shown.join(', ')}${bad.length > 5 ? ' …' : ''}`]
}

function isWhole({ characters, ...packed }: KeptText): boolean {
  try {
    return unpackText(packed).text.length === characters
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return false
  }
}
