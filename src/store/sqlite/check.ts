// What `doctor` checks in the file: SQLite's integrity check, and whether redundant data agrees.

import { isMemoryError } from '../../domain/errors.ts'
import type { Finding } from '../store.ts'
import { findDamagedBlocks, findStrayWords } from './check-blocks.ts'
import { type Check, noneOf, REBUILD, RESTORE } from './check-rule.ts'
import type { Connection } from './connection.ts'
import { DERIVED_CHECKS } from './derived-checks.ts'
import { DOCUMENT_CHECKS } from './document-checks.ts'
import { toMemoryError } from './driver-errors.ts'
import { QUERIES_PER_PAGE } from './query-index.ts'
import { isScrubPending } from './scrub.ts'

const RESTORE_WORDS =
  'all other messages are readable; restore the file from a backup to recover these, or erase them'

const CHECKS: readonly Check[] = [
  {
    check: 'the file is intact',
    find: (connection) => {
      renewIndexes(connection)
      return connection
        .all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
        .map((row) => row.integrity_check)
        .filter((line) => line !== 'ok')
    },
    remedy: RESTORE,
  },
  {
    check: 'all foreign keys are valid',
    find: (connection) =>
      connection
        .all<{ table: string; parent: string }>('PRAGMA foreign_key_check')
        .slice(0, 20)
        .map(({ table, parent }) => `a row of "${table}" refers to a missing row of "${parent}"`),
    remedy: RESTORE,
  },
  {
    check: 'message positions have no gaps',
    find: noneOf(
      `SELECT count(*) AS count FROM (SELECT 1 FROM message GROUP BY conversation
         HAVING min(position) <> 0 OR max(position) <> count(*) - 1)`,
      (count) => `${count} conversations have gaps where messages are missing`,
    ),
    remedy: RESTORE,
  },
  {
    check: 'every message can be read',
    find: noneOf(
      `SELECT count(*) AS count FROM message WHERE NOT json_valid(coalesce(metadata, 0))
         OR (CASE WHEN block IS NULL THEN NOT json_valid(content) ELSE content <> '' OR metadata IS NOT NULL END)`,
      (count) => `${count} messages are not valid JSON`,
    ),
    remedy: RESTORE,
  },
  {
    check: 'every compressed message can be read',
    find: findDamagedBlocks,
    remedy: RESTORE_WORDS,
  },
  {
    check: 'compressed blocks contain exactly their own messages',
    find: findStrayWords,
    remedy: RESTORE,
  },
  {
    check: 'messages are in the workspace of their conversation',
    find: noneOf(
      `SELECT count(*) AS count FROM message m JOIN conversation c ON c.number = m.conversation
       WHERE c.workspace <> m.workspace`,
      (count) => `${count} messages are in a different workspace than their conversation`,
    ),
    remedy: RESTORE,
  },
  {
    check: 'message and token counts are correct',
    find: noneOf(
      `SELECT count(*) AS count FROM conversation c LEFT JOIN
         (SELECT conversation, count(*) AS messages, sum(tokens) AS tokens FROM message GROUP BY conversation) m
         ON m.conversation = c.number
       WHERE c.message_count <> coalesce(m.messages, 0) OR c.token_count <> coalesce(m.tokens, 0)`,
      (count) => `${count} conversations have wrong counts`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'first and last messages of conversations are correct',
    find: noneOf(
      `SELECT count(*) AS count FROM conversation c LEFT JOIN
         (SELECT conversation, min(created_at) AS first, max(number) AS last FROM message GROUP BY conversation) m
         ON m.conversation = c.number
       WHERE c.first_said_at IS NOT m.first OR c.last_message IS NOT m.last`,
      (count) => `${count} conversations would be skipped by searches`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'running token totals are correct',
    find: noneOf(
      `SELECT count(*) AS count FROM (SELECT tokens_before,
         coalesce(sum(tokens) OVER (PARTITION BY conversation ORDER BY position
           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected FROM message)
       WHERE tokens_before <> expected`,
      (count) => `${count} messages have a wrong running token total`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains every message',
    find: noneOf(
      `SELECT count(*) AS count FROM (
         SELECT c.workspace, (m.conversation << 24) + m.position FROM message m
           JOIN conversation c ON c.number = m.conversation WHERE m.erased_at IS NULL EXCEPT
         SELECT w.number, e.rowid FROM workspace w CROSS JOIN message_words e ON message_words MATCH 'scope : w' || w.number)`,
      (count) => `${count} messages are not in the search index`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains only existing messages',
    find: noneOf(
      `SELECT count(*) AS count FROM (
         SELECT rowid FROM message_words WHERE message_words MATCH 'scope : w*' EXCEPT
         SELECT (conversation << 24) + position FROM message WHERE erased_at IS NULL)`,
      (count) => `${count} search index entries have no message`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains every conversation',
    find: noneOf(
      `SELECT count(*) AS count FROM conversation c
       WHERE NOT EXISTS (SELECT 1 FROM conversation_words_docsize d WHERE d.id = c.number)`,
      (count) => `${count} conversations are not in the search index`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains only existing conversations',
    find: noneOf(
      `SELECT count(*) AS count FROM conversation_words_docsize d
       WHERE NOT EXISTS (SELECT 1 FROM conversation c WHERE c.number = d.id)`,
      (count) => `${count} search index entries have no conversation`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'every page and query can be read',
    find: noneOf(
      `SELECT (SELECT count(*) FROM page WHERE NOT json_valid(entities) OR NOT json_valid(preferences)) +
         (SELECT count(*) FROM query WHERE NOT json_valid(query) OR NOT json_valid(sql) OR NOT json_valid(response)
           OR NOT json_valid(coalesce(truncated, 0)) OR NOT json_valid(results)) AS count`,
      (count) => `${count} pages and queries are not valid JSON`,
    ),
    remedy: RESTORE,
  },
  {
    check: 'queries are stored with their page',
    find: noneOf(
      `SELECT count(*) AS count FROM query q JOIN page p ON p.number = q.page
       WHERE p.workspace <> q.workspace OR q.number <> q.page * ${QUERIES_PER_PAGE} + q.position`,
      (count) => `${count} queries are not stored with their page`,
    ),
    remedy: RESTORE,
  },
  {
    check: 'query counts are correct',
    find: noneOf(
      `SELECT count(*) AS count FROM page p LEFT JOIN
         (SELECT page, count(*) AS queries FROM query GROUP BY page) q ON q.page = p.number
       WHERE p.query_count <> coalesce(q.queries, 0)`,
      (count) => `${count} pages have a wrong query count`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains every query',
    find: noneOf(
      `SELECT count(*) AS count FROM query q
       WHERE NOT EXISTS (SELECT 1 FROM query_words_docsize d WHERE d.id = q.number)`,
      (count) => `${count} queries are not in the search index`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index contains only existing queries',
    find: noneOf(
      `SELECT count(*) AS count FROM query_words_docsize d
       WHERE NOT EXISTS (SELECT 1 FROM query q WHERE q.number = d.id)`,
      (count) => `${count} search index entries have no query`,
    ),
    remedy: REBUILD,
  },
  ...DOCUMENT_CHECKS,
  ...DERIVED_CHECKS,
  {
    check: 'erased text is removed from the files',
    find: (connection) =>
      isScrubPending(connection) ? ['erased text may still be in the write-ahead log'] : [],
    remedy: 'close other programs that read the file, then run `recollect erase --finish`',
  },
]

/**
 * SQLite checks a full-text index against what this connection has cached of it, and would report later writes of
 * another process as damage. A search refreshes the cache.
 */
function renewIndexes(connection: Connection): void {
  for (const index of ['message_words', 'conversation_words', 'query_words', 'chunk_words']) {
    connection.get(`SELECT 1 FROM ${index} WHERE ${index} MATCH 'x' LIMIT 1`)
  }
}

export function checkFile(connection: Connection): readonly Finding[] {
  return CHECKS.flatMap(({ check, find, remedy }) => {
    const { problems, isDamaged } = look(connection, find)
    if (problems.length === 0) return [{ check }]
    return problems.map((problem) => ({ check, problem, remedy: isDamaged ? RESTORE : remedy }))
  })
}

/** Reports an unreadable page as a finding, so that the other checks still run. */
function look(
  connection: Connection,
  find: Check['find'],
): { problems: readonly string[]; isDamaged: boolean } {
  try {
    return { problems: find(connection), isDamaged: false }
  } catch (error) {
    const known = toMemoryError(error, connection.location)
    if (!isMemoryError(known) || known.code !== 'store-damaged') throw error
    return { problems: [known.message], isDamaged: true }
  }
}
