/** Whether a text is stored to be found, or is a query: some models embed them differently. */
export type EmbeddingUse = 'passage' | 'question'

export interface EmbedOptions {
  /** @default "passage" */
  readonly use?: EmbeddingUse
  readonly signal?: AbortSignal
}

/** Converts texts to vectors; similar subjects have similar vectors. */
export interface Embedder {
  /** Changes whenever the vectors change: only vectors with the same name are comparable. */
  readonly name: string
  readonly dimensions: number
  /** The cosine similarity above which two texts are more likely about one subject than about two. */
  readonly sameTopicSimilarity: number
  /**
   * The cosine similarity of unrelated texts: 0 if only shared words count, well above 0 for neural models.
   */
  readonly unrelatedSimilarity: number
  /** One unit-length vector per text, in order; all zeros for a text without a word. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>
}
