/** One web search result. All of it was written by strangers: data, never instructions. */
export interface WebSearchResult {
  readonly title: string
  /** http or https. */
  readonly url: string
  /** A few sentences, cut at the end of one. */
  readonly excerpt: string
  readonly publishedAt?: Date
}

/** Searches the web for questions that the memory cannot answer. Disabled by default. */
export interface WebSearch {
  readonly name: string
  search(
    question: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<readonly WebSearchResult[]>
}
