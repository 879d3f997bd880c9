/** A set of words from a text with spaces between them. */
export const wordList = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
