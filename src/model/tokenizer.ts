/** Counts tokens the way a family of models does. */
export interface Tokenizer {
  /** Stored with every count: a count is only valid for the tokenizer that made it. */
  readonly name: string
  /** Never throws, whatever the text; takes time linear in its length. */
  count(text: string): number
}

/** The built-in tokenizers. `estimate` is for families without a public tokenizer: Claude, Gemini. */
export const TOKENIZER_NAMES = ['o200k', 'cl100k', 'estimate'] as const
export type TokenizerName = (typeof TOKENIZER_NAMES)[number]
