import type { MutableFact } from './mutable-fact.ts'

/** Facts by the words of their values, for attributes in which something was said to have ended. */
export class WordLists {
  readonly #byAttribute = new Map<string, Map<string, MutableFact[]>>()

  /** The facts with the rarest of the words. `all` is called only the first time for an attribute. */
  find(
    attributeKey: string,
    words: readonly string[],
    all: () => readonly MutableFact[],
  ): readonly MutableFact[] {
    if (!this.#byAttribute.has(attributeKey)) {
      this.#byAttribute.set(attributeKey, new Map())
      for (const fact of all()) this.add(fact)
    }
    const lists = words.map((word) => this.#byAttribute.get(attributeKey)?.get(word) ?? [])
    return lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest))
  }

  add(fact: MutableFact): void {
    const lists = this.#byAttribute.get(fact.identity.attributeKey)
    if (lists === undefined) return
    for (const word of wordsOf(fact)) {
      const list = lists.get(word)
      if (list === undefined) lists.set(word, [fact])
      else list.push(fact)
    }
  }

  remove(fact: MutableFact): void {
    const lists = this.#byAttribute.get(fact.identity.attributeKey)
    if (lists === undefined) return
    for (const word of wordsOf(fact))
      lists.set(
        word,
        (lists.get(word) ?? []).filter((one) => one !== fact),
      )
  }
}

const wordsOf = ({ identity }: MutableFact): ReadonlySet<string> => new Set(identity.foldedValue.split(' '))
