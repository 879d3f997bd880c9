import { conversationId } from '../../domain/ids.ts'
import { type Query, searchableText } from '../../domain/page.ts'
import type { Found } from '../found.ts'
import type { TextJudge } from './weigh-text.ts'

export function findQueries(queries: readonly Query[], judge: TextJudge, ideal: number): readonly Found[] {
  return queries.flatMap((query) => {
    const { score, similarity, why } = judge.judge(searchableText(query))
    if (similarity === 0) return []
    return [
      {
        kind: 'query' as const,
        id: query.id,
        text: queryText(query),
        score: Math.min(1, score / ideal),
        similarity,
        why,
        messageIds: [],
        conversationId: conversationId(query.pageId),
        createdAt: query.createdAt,
        source: 'query history',
      },
    ]
  })
}

const ANSWER_CHARACTERS = 500

/** What was asked, and how the answer began. */
function queryText({ query, sql, response }: Query): string {
  const parts = [query, sql, response?.slice(0, ANSWER_CHARACTERS)]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join('\n')
}
