import type { Entity } from '../../domain/entity.ts'

/** Entities in memory. Looks up any entity by any of its names, and people by any word of their names. */
export class EntityIndex {
  readonly #byAlias = new Map<string, Entity>()
  readonly #peopleByWord = new Map<string, Set<string>>()

  /** Replaces entities that had one of its names. */
  add(entity: Entity): void {
    for (const alias of entity.aliases) this.#byAlias.set(alias.toLowerCase(), entity)
    if (entity.type !== 'person') return
    for (const word of entity.name.split(' ')) {
      const names = this.#peopleByWord.get(word) ?? new Set()
      this.#peopleByWord.set(word, names.add(entity.name.toLowerCase()))
    }
  }

  readonly find = (alias: string): Entity | undefined => this.#byAlias.get(alias.toLowerCase())

  readonly people = (word: string): readonly Entity[] => {
    const names = [...(this.#peopleByWord.get(word) ?? [])]
    return [...new Set(names.map(this.find).filter((entity) => entity !== undefined))]
  }

  all(): Entity[] {
    return [...new Set(this.#byAlias.values())]
  }
}
