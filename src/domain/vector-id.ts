/** What a vector store holds the vectors of. */
export type VectorKind = 'message' | 'summary' | 'fact' | 'note' | 'chunk'

/** Under which id: other words of the same thing have another one, by their digest. Messages never change. */
export const toVectorId = (kind: VectorKind, id: string, digest = ''): string => `${kind}:${id}:${digest}`

export function readVectorId(text: string): { readonly kind: string; readonly id: string } {
  const [first, last] = [text.indexOf(':'), text.lastIndexOf(':')]
  return { kind: text.slice(0, first), id: text.slice(first + 1, Math.max(first + 1, last)) }
}
