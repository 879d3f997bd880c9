/** Whether a text is to be found, or to find others: some models want to be told. */
export type EmbeddingUse = 'passage' | 'question'

export interface EmbedOptions {
  /** @default "passage" */
  readonly use?: EmbeddingUse
  readonly signal?: AbortSignal
}

/** Turns texts into vectors whose nearness means nearness of subject. */
export interface Embedder {
  /** Changes whenever the vectors change: vectors are only comparable under one name. */
  readonly name: string
  readonly dimensions: number
  /** The cosine from which on two texts are more likely about one subject than about two. */
  readonly sameTopicSimilarity: number
  /** The cosine that two unrelated texts have: 0 where only shared words count, well above it for neural models. */
  readonly unrelatedSimilarity: number
  /** One vector for each text, in order, of unit length; all zero for a text without a word. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>
}
