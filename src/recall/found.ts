import type { MessageLocator } from '../domain/locator.ts'
import type { Recalled } from '../domain/recall.ts'
import type { Passage } from './passage-of.ts'

/** Something that may go into an answer. */
export interface Found extends Omit<Recalled, 'tokens' | 'passage'> {
  /** All of it. */
  readonly text: string
  /** Of a long text, what matters of it: looked for when it is wanted, since most of what is found is never shown. */
  readonly findPassage?: () => Passage | undefined
  /** How like the question it is, by its words, the words around it or its meaning: 0 to 1. */
  readonly similarity: number
  /** An order that stands: it is seated whatever the question. */
  readonly isInstruction?: true
  /** Of a message. */
  readonly place?: MessageLocator
  /** What it belongs to, where the whole of a matter is asked for. */
  readonly group?: unknown
}

/** What of it is shown. */
export function shownOf({ text, findPassage }: Found): Pick<Recalled, 'text' | 'passage'> {
  const passage = findPassage?.()
  if (passage === undefined) return { text }
  return { text: text.slice(passage.start, passage.end), passage: { ...passage, of: text.length } }
}
