import type { WebSearch, WebSearchResult } from '../../model/models.ts'
import { asksForRecent } from './asks-for-recent.ts'

/** Searches the web if the question asks for something recent; otherwise returns undefined without searching. */
export async function searchWeb(
  webSearch: WebSearch,
  question: string,
  options: { readonly limit: number; readonly signal?: AbortSignal },
): Promise<readonly WebSearchResult[] | undefined> {
  if (!asksForRecent(question)) return undefined
  return (await webSearch.search(question, options)).slice(0, options.limit)
}
