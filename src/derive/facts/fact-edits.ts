// How edits of facts by users and applications are stored: as edits of the kinds below. An edit's key is the
// fact's key, a digest. Pins, rejections and their reversals contain nothing else, so they outlive the messages:
// a rejected fact stays rejected when it is said again. An addition or a change contains the whole fact as the
// user left it, and is erased with the messages that the fact came from.
//
// `after` is when the fact had last been said at the time of the edit. The edit takes effect after that, even if
// the clock that stamped the messages runs ahead of ours.

import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Edit } from '../../store/edits.ts'
import { identify } from './fact-key.ts'
import type { FactFields } from './mutable-fact.ts'

export const FACT_EDITS = [
  'fact-add',
  'fact-change',
  'fact-pin',
  'fact-unpin',
  'fact-reject',
  'fact-restore',
] as const
export type FactEditKind = (typeof FACT_EDITS)[number]

export interface FactEdit {
  readonly id: number
  readonly kind: FactEditKind
  /** Key of the edited fact. */
  readonly key: string
  /** Which of the facts with that key; for an addition, the id of the new one. */
  readonly factId: string
  readonly at: Date
  /** The whole fact, for an addition or a change. */
  readonly fields?: FactFields
  readonly conversationId?: ConversationId
  readonly sources: readonly MessageId[]
}

interface FactEditBody {
  readonly fact: string
  readonly after?: string
  readonly fields?: {
    readonly [Name in keyof FactFields]: FactFields[Name] extends Date ? string : FactFields[Name]
  } & { readonly validUntil?: string }
}

export const keyOfFields = (fields: FactFields): string => identify(fields, fields.value).key

/** The body of an edit. */
export function toFactEditBody(edit: {
  readonly factId: string
  readonly after?: Date
  readonly fields?: FactFields
}): JsonObject {
  const { factId, after, fields } = edit
  return {
    fact: factId,
    ...(after !== undefined && { after: after.toISOString() }),
    ...(fields !== undefined && { fields: toFieldsBody(fields) }),
  }
}

function toFieldsBody({ validFrom, validUntil, ...fields }: FactFields): JsonObject {
  return {
    ...fields,
    validFrom: validFrom.toISOString(),
    ...(validUntil !== undefined && { validUntil: validUntil.toISOString() }),
  }
}

export function readFactEdit(edit: Edit): FactEdit {
  const { fact, after, fields } = edit.body as unknown as FactEditBody
  const at = Math.max(edit.createdAt.getTime(), after === undefined ? 0 : Date.parse(after))
  return {
    id: edit.id,
    kind: edit.kind as FactEditKind,
    key: edit.key,
    factId: fact,
    at: new Date(at),
    ...(fields !== undefined && { fields: readFields(fields) }),
    ...(edit.conversation !== undefined && { conversationId: edit.conversation }),
    sources: edit.sources ?? [],
  }
}

function readFields({ validFrom, validUntil, ...fields }: NonNullable<FactEditBody['fields']>): FactFields {
  return {
    ...fields,
    validFrom: new Date(validFrom),
    ...(validUntil !== undefined && { validUntil: new Date(validUntil) }),
  }
}

/** Sorts by the order in which edits take effect. */
export function compareEdits(left: FactEdit, right: FactEdit): number {
  return left.at.getTime() - right.at.getTime() || left.id - right.id
}

/** Rejected keys after all edits, each with the time of its rejection. Adding a fact restores it. */
export function findRejections(edits: readonly FactEdit[]): Map<string, Date> {
  const rejections = new Map<string, Date>()
  for (const { kind, key, at, fields } of edits) {
    if (kind === 'fact-reject') rejections.set(key, at)
    if (kind === 'fact-restore') rejections.delete(key)
    if (fields !== undefined) rejections.delete(keyOfFields(fields))
  }
  return rejections
}
