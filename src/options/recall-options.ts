// How things are found again, in what was said and in documents.

/** How things are found again. Weights say what a signal adds to a score; 0 switches it off. */
export interface RecallConfig {
  /** The most items of an answer, where no budget is given. @default 5 */
  readonly limit?: number
  /** Of each word, so many messages are looked at: of a common one the newest. @default 200 */
  readonly wordMatches?: number
  /** So many messages are weighed by speaker, sitting and time. @default 200 */
  readonly candidates?: number
  /** The best so many of them are read. @default 100 */
  readonly read?: number
  /** What is less like the question than this stays out: by its words, the words around it, or its meaning. @default 0.25 */
  readonly leastSimilarity?: number
  /** Messages with less than this between them belong to one sitting. @default 10800000 */
  readonly pauseMs?: number
  /** The words of the message itself. @default 1 */
  readonly wordsWeight?: number
  /** What stands in for a word of the question, related words and synonyms, counts this share of it. @default 0.5 */
  readonly relativesWeight?: number
  /** Words side by side as in the question. @default 1 */
  readonly phraseWeight?: number
  /** The words in it and around it. @default 3.5 */
  readonly neighboursWeight?: number
  /** The words of its sitting. @default 0.5 */
  readonly sessionWeight?: number
  /** Said in the conversation in which the question is asked. @default 0.5 */
  readonly conversationWeight?: number
  /** Nearness of the vectors. @default 2 */
  readonly meaningWeight?: number
  /** Said by somebody whom the question names. @default 2 */
  readonly speakerWeight?: number
  /** Said by a person, not by an assistant. @default 3 */
  readonly personWeight?: number
  /** Said at the time that the question names. @default 4 */
  readonly timeWeight?: number
  /** Among the newest, where the question asks for the latest, or the oldest, where it asks for the first. @default 0.5 */
  readonly recencyWeight?: number
  /** Has a time where one is asked for, or a number. @default 1 */
  readonly answerWeight?: number
  /** Says what somebody prefers, where advice is asked for. @default 2 */
  readonly preferenceWeight?: number
  /** Follows a question that has the words. @default 1 */
  readonly replyWeight?: number
  /** Longer than a word or two. @default 2 */
  readonly substanceWeight?: number
  /** Taken off a short turn that only asks. @default 0.5 */
  readonly bareQuestionWeight?: number
  /** The topic has not faded, and the importance that was given or learned. @default 0.5 */
  readonly importanceWeight?: number
}

export type ResolvedRecall = Required<RecallConfig>

// Each weight switched off in turn: docs/guide/recall.md has what it costs. All are round, and plain for both kinds of chat.
export const RECALL_DEFAULTS: ResolvedRecall = Object.freeze({
  limit: 5,
  wordMatches: 200, // more find no more in conversations of a thousand turns, and take longer: docs/decisions/0016
  candidates: 200,
  read: 100,
  leastSimilarity: 0.25,
  pauseMs: 3 * 3_600_000, // sessions are told apart by three hours
  wordsWeight: 1,
  relativesWeight: 0.5,
  phraseWeight: 1,
  neighboursWeight: 3.5,
  sessionWeight: 0.5,
  conversationWeight: 0.5, // of two that say the same, the one from here
  meaningWeight: 2,
  speakerWeight: 2,
  personWeight: 3,
  timeWeight: 4,
  recencyWeight: 0.5,
  answerWeight: 1,
  preferenceWeight: 2,
  replyWeight: 1,
  substanceWeight: 2,
  bareQuestionWeight: 0.5,
  importanceWeight: 0.5,
})

/** How documents are cut into chunks, and how many chunks answer a question. */
export interface RagConfig {
  /** The most tokens of a chunk; most have at least two thirds of it. `rebuild` cuts documents that are there already. @default 300 */
  readonly chunkSize?: number
  /** About how many tokens a chunk shares with the one before it, within a section. @default 50 */
  readonly chunkOverlap?: number
  /** How many chunks are found for a question. @default 5 */
  readonly topK?: number
  /** Chunks that are less similar to the question than this stay out. @default 0.25 */
  readonly threshold?: number
  /** So many of the best are read once more together with the question. @default 20 */
  readonly rerankTop?: number
  /** The most chunks in a context. @default 3 */
  readonly finalChunks?: number
  /** The most tokens that memory, notes and chunks take together in a context. @default 800 */
  readonly memoryBudget?: number
}

export type ResolvedRag = Required<RagConfig>

export const RAG_DEFAULTS: ResolvedRag = Object.freeze({
  chunkSize: 300, // a screen of text: three of them still leave room for everything else
  chunkOverlap: 50, // two sentences
  topK: 5,
  threshold: 0.25, // below this, noise grows faster than recall
  rerankTop: 20,
  finalChunks: 3, // three of 250 tokens fill the share
  memoryBudget: 800, // a page: more costs attention before it adds anything
})
