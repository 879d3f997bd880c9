/** A set of words from a space-separated text. */
export const wordList = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
