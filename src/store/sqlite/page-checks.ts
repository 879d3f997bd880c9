// The `doctor` checks of pages and queries.

import { type Check, noneOf, REBUILD, RESTORE } from './check-rule.ts'
import { QUERIES_PER_PAGE } from './query-index.ts'

export const PAGE_CHECKS: readonly Check[] = [
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
    check: 'queries lie with their page',
    find: noneOf(
      `SELECT count(*) AS count FROM query q JOIN page p ON p.number = q.page
       WHERE p.workspace <> q.workspace OR q.number <> q.page * ${QUERIES_PER_PAGE} + q.position`,
      (count) => `${count} queries are not where their page is`,
    ),
    remedy: RESTORE,
  },
  {
    check: 'counts of queries are right',
    find: noneOf(
      `SELECT count(*) AS count FROM page p LEFT JOIN
         (SELECT page, count(*) AS queries FROM query GROUP BY page) q ON q.page = p.number
       WHERE p.query_count <> coalesce(q.queries, 0)`,
      (count) => `${count} pages count wrong`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index has every query',
    find: noneOf(
      `SELECT count(*) AS count FROM query q
       WHERE NOT EXISTS (SELECT 1 FROM query_words_docsize d WHERE d.id = q.number)`,
      (count) => `${count} queries are not in the search index`,
    ),
    remedy: REBUILD,
  },
  {
    check: 'the search index has no other query',
    find: noneOf(
      `SELECT count(*) AS count FROM query_words_docsize d
       WHERE NOT EXISTS (SELECT 1 FROM query q WHERE q.number = d.id)`,
      (count) => `${count} entries of the search index have no query`,
    ),
    remedy: REBUILD,
  },
]
