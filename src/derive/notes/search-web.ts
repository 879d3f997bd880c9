import type { WebSearch, WebSearchResult } from '../../model/web-search.ts'
import { asksForRecent } from './asks-for-recent.ts'

/** What the web says to a question that asks for something recent; undefined for any other: it is not asked then. */
export async function searchWeb(
  webSearch: WebSearch,
  question: string,
  options: { readonly limit: number; readonly signal?: AbortSignal },
): Promise<readonly WebSearchResult[] | undefined> {
  if (!asksForRecent(question)) return undefined
  return (await webSearch.search(question, options)).slice(0, options.limit)
}
