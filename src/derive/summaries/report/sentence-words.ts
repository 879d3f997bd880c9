/** A word of a sentence, with the punctuation next to it. */
export interface SentenceWord {
  readonly before: string
  readonly word: string
  readonly after: string
}

const CONTRACTIONS: ReadonlyMap<string, string> = new Map([
  ["'m", 'am'],
  ["'re", 'are'],
  ["'ve", 'have'],
  ["'ll", 'will'],
])
const CONTRACTED = /^(i|you|we|they|he|she|it|that|there|this|what|where|who|how|when|why)('m|'re|'ve|'ll)$/i

/** The words of a sentence, with contracted pronouns expanded: I'm → I am. */
export function toWords(sentence: string): SentenceWord[] {
  const words = sentence.split(/\s+/).filter(Boolean).map(peel)
  if (!sentence.includes("'")) return words
  return words.flatMap((word, place) => expand(word, words[place + 1]))
}

export function plain(text: string): SentenceWord {
  return { before: '', word: text, after: '' }
}

export function lowerWords(words: readonly SentenceWord[]): string[] {
  return words.map(({ word }) => word.toLowerCase())
}

/** Lowercases the first word, unless it has several capitals or a digit. */
export function lowerFirst(words: readonly SentenceWord[]): SentenceWord[] {
  return words.map((word, place) =>
    place === 0 && !/\p{Lu}.*\p{Lu}|\d/u.test(word.word) ? { ...word, word: word.word.toLowerCase() } : word,
  )
}

export function joinWords(words: readonly SentenceWord[]): string {
  return words.map(({ before, word, after }) => before + word + after).join(' ')
}

function peel(raw: string): SentenceWord {
  if (/^[a-z0-9]+$/i.test(raw)) return plain(raw)
  const [, before = '', word = '', after = ''] =
    /^([^\p{L}\p{N}$€£#]*)(.*?)([^\p{L}\p{N}%$€£°+#]*)$/su.exec(raw) ?? []
  return { before, word, after }
}

function expand(token: SentenceWord, next: SentenceWord | undefined): SentenceWord[] {
  const { before, word, after } = token
  const [, pronoun = '', ending = ''] = CONTRACTED.exec(word) ?? []
  const written =
    pronoun === '' ? expandWould(word, next?.word ?? '') : CONTRACTIONS.get(ending.toLowerCase())
  if (written === undefined) return [token]
  return [
    { before, word: word.slice(0, word.indexOf("'")), after: '' },
    { before: '', word: written, after },
  ]
}

/** "I'd better" and "I'd seen" mean had; everything else means would. */
function expandWould(word: string, next: string): string | undefined {
  if (!/^(?:i|you|we|they)'d$/i.test(word)) return undefined
  return /^(?:better|been|.*(?:[^e]ed|en))$/.test(next) ? 'had' : 'would'
}
