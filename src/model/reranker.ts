/** Reads a question together with each text, and rates how well the text answers it. */
export interface Reranker {
  readonly name: string
  /**
   * One score for each text, in the order of the texts. Higher is better; only the order of scores is
   * meaningful.
   */
  rerank(
    question: string,
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly number[]>
}
