import type { WebSearch, WebSearchResult } from '../../model/web-search.ts'
import { asksForRecent } from './asks-for-recent.ts'

/** What the web says to a question that asks for something recent; nothing for any other, or where it is off. */
export async function searchWeb(
  webSearch: WebSearch | undefined,
  question: string,
  limit: number,
): Promise<readonly WebSearchResult[]> {
  if (webSearch === undefined || !asksForRecent(question)) return []
  return (await webSearch.search(question, { limit })).slice(0, limit)
}
