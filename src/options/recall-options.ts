// How messages and documents are found again.

export interface RecallConfig {
  /** Maximum items of a result when no token budget is given. @default 5 */
  readonly limit?: number
  /** Items less similar to the question than this, by their own text, the text around them or their meaning, are left out. @default 0.25 */
  readonly minSimilarity?: number
}

/** Internal: sizes of the candidate lists, and what each signal adds to a score. A weight of 0 disables its signal. */
export interface RecallConstants {
  /** Maximum messages looked at per word; the newest ones of a common word. */
  readonly wordMatches: number
  /** Maximum messages scored by speaker, session and time. */
  readonly candidates: number
  /** Maximum candidates whose full text is loaded. */
  readonly maxTexts: number
  /** Messages with a shorter pause between them belong to one session. */
  readonly pauseMs: number
  /** Words of the message itself. */
  readonly wordsWeight: number
  /** The share that a related word or synonym counts of the question's word. */
  readonly synonymWeight: number
  /** Words in the same order as in the question. */
  readonly phraseWeight: number
  /** Words in the message and around it. */
  readonly neighboursWeight: number
  /** Words of its session. */
  readonly sessionWeight: number
  /** It is in the conversation the question is asked in. */
  readonly conversationWeight: number
  /** Similarity of the vectors. */
  readonly meaningWeight: number
  /** Said by somebody the question names. */
  readonly speakerWeight: number
  /** Said by a person, not by an assistant. */
  readonly personWeight: number
  /** Said at the time the question names. */
  readonly timeWeight: number
  /** Among the newest if the question asks for the latest, or the oldest if it asks for the first. */
  readonly recencyWeight: number
  /** Contains a time or number when the question asks for one. */
  readonly answerWeight: number
  /** States a preference when the question asks for advice. */
  readonly preferenceWeight: number
  /** Follows a question that contains the words. */
  readonly replyWeight: number
  /** Longer than a word or two. */
  readonly lengthWeight: number
  /** Subtracted from a short turn that only asks. */
  readonly bareQuestionWeight: number
  /** Priority of the topic, and importance that was set or learned. */
  readonly importanceWeight: number
}

export type ResolvedRecall = Required<RecallConfig> & RecallConstants

export const RECALL_DEFAULTS: Required<RecallConfig> = Object.freeze({
  limit: 5,
  minSimilarity: 0.25,
})

// `evals/recall.mjs --ablation` disables each weight in turn; docs/guide/recall.md has the results. All are round numbers
// that work for chats between people and for chats with an assistant.
export const RECALL_CONSTANTS: RecallConstants = Object.freeze({
  wordMatches: 200, // more find nothing else in conversations of a thousand turns, and take longer: docs/decisions/0016
  candidates: 200,
  maxTexts: 100,
  pauseMs: 3 * 3_600_000, // sessions are separated by three hours
  wordsWeight: 1,
  synonymWeight: 0.5,
  phraseWeight: 1,
  neighboursWeight: 3.5,
  sessionWeight: 0.5,
  conversationWeight: 0.5, // of two messages that say the same, prefer the one from this conversation
  meaningWeight: 2,
  speakerWeight: 2,
  personWeight: 3,
  timeWeight: 4,
  recencyWeight: 0.5,
  answerWeight: 1,
  preferenceWeight: 2,
  replyWeight: 1,
  lengthWeight: 2,
  bareQuestionWeight: 0.5,
  importanceWeight: 0.5,
})

/** How documents are split into chunks, and how many chunks answer a question. */
export interface RagConfig {
  /** Maximum tokens of a chunk; most have at least two thirds of it. Run `rebuild` to split existing documents again. @default 300 */
  readonly chunkSize?: number
  /** Approximate number of tokens that a chunk shares with the previous one of its section. @default 50 */
  readonly chunkOverlap?: number
  /** Number of chunks found for a question. @default 5 */
  readonly topK?: number
  /** Chunks less similar to the question than this are left out. @default 0.25 */
  readonly threshold?: number
  /** Number of top results that are re-ranked together with the question. @default 20 */
  readonly rerankTop?: number
  /** Maximum chunks in a context. @default 3 */
  readonly finalChunks?: number
}

export type ResolvedRag = Required<RagConfig>

export const RAG_DEFAULTS: ResolvedRag = Object.freeze({
  chunkSize: 300, // a screen of text: three of them still leave room for everything else
  chunkOverlap: 50, // two sentences
  topK: 5,
  threshold: 0.25, // below this, noise grows faster than recall
  rerankTop: 20,
  finalChunks: 3, // three of 250 tokens fill the share
})
