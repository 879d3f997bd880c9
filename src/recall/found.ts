import type { Place } from '../domain/place.ts'
import type { Recalled } from '../domain/recall.ts'

/** Something that may go into an answer. */
export interface Found extends Omit<Recalled, 'tokens'> {
  /** How like the question it is, by its words, the words around it or its meaning: 0 to 1. */
  readonly similarity: number
  /** An order that stands: it is seated whatever the question. */
  readonly isInstruction?: true
  /** Of a message. */
  readonly place?: Place
  /** What it belongs to, where the whole of a matter is asked for. */
  readonly group?: unknown
}
