import { conversationId } from '../domain/ids.ts'
import type { DerivedKind, StoredItem } from './derivations.ts'
import { fromFloatBytes } from './vector-bytes.ts'

export interface ItemRow {
  readonly ordinal: number
  readonly conversation_id: string
  readonly key: string
  readonly body: string
  readonly vector: Uint8Array | null
  readonly sources: string
  readonly made_by: string
  readonly made_at: number
  readonly tokens: number
}

export function toItem(row: ItemRow, kind: DerivedKind): StoredItem {
  return {
    kind,
    key: row.key,
    body: JSON.parse(row.body),
    ...(row.vector !== null && { vector: fromFloatBytes(row.vector) }),
    sources: JSON.parse(row.sources),
    madeBy: row.made_by,
    madeAt: new Date(row.made_at),
    tokens: row.tokens,
    conversationId: conversationId(row.conversation_id),
    number: row.ordinal,
  }
}
