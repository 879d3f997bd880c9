import { Digest } from '../../domain/digest.ts'
import type { Fact } from '../../domain/fact.ts'
import { isSingleValued } from './attributes.ts'
import type { ExtractedFact } from './extracted-fact.ts'

/** What distinguishes facts from each other. */
export interface FactIdentity {
  /** Digest of subject, attribute and value, so that an edit can refer to a fact without containing its text. */
  readonly key: string
  /** Digest of subject and attribute, shared by facts that are compared with each other. */
  readonly attributeKey: string
  readonly foldedValue: string
  /** Whether a newer value of the attribute closes the older one. */
  readonly isSingleValued: boolean
}

export function identify(fact: Pick<Fact, 'subject' | 'attribute'>, value: string): FactIdentity {
  const foldedValue = foldValue(value)
  const attribute = fact.attribute.toLowerCase()
  const attributeKey = `${fact.subject.toLowerCase()}\n${attribute}`
  const key = new Digest().add(attributeKey).add(foldedValue).toString()
  return { key, attributeKey, foldedValue, isSingleValued: isSingleValued(attribute) }
}

/** The id of the fact that a message is the first to state; the same for a message and its copies. */
export function factIdOf(
  { key }: FactIdentity,
  { messageId, copyOf = messageId }: Pick<ExtractedFact, 'messageId' | 'copyOf'>,
): string {
  return new Digest().add(key).add(copyOf).toString()
}

/** Normalizes a value: case, accents, articles and punctuation do not matter. */
export function foldValue(value: string): string {
  const plain = PLAIN.test(value) ? value : value.normalize('NFKD').replace(/\p{M}/gu, '')
  return (
    plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
      .replace(/^\s*(?:the|an?) (?=\S)/, '')
      .trim() || value
  )
}

const PLAIN = /^[\x20-\x7e]*$/
