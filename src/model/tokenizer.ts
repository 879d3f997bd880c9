/** Counts tokens the way a family of models does. */
export interface Tokenizer {
  /** Stands with every count in the record: a count is only good for the tokenizer that made it. */
  readonly name: string
  /** Never throws, whatever the text; takes time in proportion to its length. */
  count(text: string): number
}

/** The built-in ones. `estimate` is for families without a public tokenizer: Claude, Gemini. */
export const TOKENIZER_NAMES = ['o200k', 'cl100k', 'estimate'] as const
export type TokenizerName = (typeof TOKENIZER_NAMES)[number]
