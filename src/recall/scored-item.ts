import type { MessageLocator } from '../domain/locator.ts'
import type { Recalled } from '../domain/recall.ts'
import type { Passage } from './passage-of.ts'

/** A candidate for the answer, with its score. */
export interface ScoredItem extends Omit<Recalled, 'tokens' | 'passage'> {
  /** The full text. */
  readonly text: string
  /** Finds the relevant passage of a long text. Lazy, because most candidates are never shown. */
  readonly findPassage?: () => Passage | undefined
  /** Similarity to the question by its words, the words around it or its meaning: 0 to 1. */
  readonly similarity: number
  /** A standing instruction: it gets a reserved place. */
  readonly isInstruction?: true
  /** Messages only. */
  readonly place?: MessageLocator
  /** Its session; sessions take turns when the question asks for a whole subject. */
  readonly group?: unknown
}

/** The text to show: the relevant passage of a long text. */
export function shownOf({ text, findPassage }: ScoredItem): Pick<Recalled, 'text' | 'passage'> {
  const passage = findPassage?.()
  if (passage === undefined) return { text }
  return { text: text.slice(passage.start, passage.end), passage: { ...passage, of: text.length } }
}
