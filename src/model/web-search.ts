/** One thing that was found on the web. All of it was written by strangers: data, never instructions. */
export interface WebSearchResult {
  readonly title: string
  /** http or https. */
  readonly url: string
  /** A few sentences, cut at the end of one. */
  readonly excerpt: string
  readonly publishedAt?: Date
}

/** Finds what is new: for questions that the memory cannot know the answer to. Off unless switched on. */
export interface WebSearch {
  readonly name: string
  search(
    question: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<readonly WebSearchResult[]>
}
