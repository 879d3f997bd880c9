/** Turns texts into vectors whose nearness means nearness of subject. */
export interface Embedder {
  /** Changes whenever the vectors change: vectors are only comparable under one name. */
  readonly name: string
  readonly dimensions: number
  /** The cosine from which on two texts are more likely about one subject than about two. */
  readonly sameTopicSimilarity: number
  /** The cosine that two unrelated texts have. */
  readonly unrelatedSimilarity: number
  /** One vector for each text, in order, of unit length; all zero for a text without a word. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}
