// Library types as JSON. Both ends of HTTP use them: the server's response schemas and the React client.

import type { z } from 'zod'
import type { ConversationId, DocumentId, MessageId, PageId, QueryId, WorkspaceId } from '../domain/ids.ts'

type Id = ConversationId | DocumentId | MessageId | PageId | QueryId | WorkspaceId
type Plain = string | number | boolean | null | undefined

/** The JSON form of a library type: times and ids are strings. `Missing` is added to optional properties. */
export type Wire<T, Missing = never> = unknown extends T
  ? T
  : T extends Date | Id
    ? string
    : T extends Plain
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Wire<Item, Missing>[]
        : {
            readonly [Name in keyof T]:
              | Wire<T[Name], Missing>
              | (object extends Pick<T, Name> ? Missing : never)
          }

/** A schema of that JSON. zod types optional properties as possibly undefined. */
export type WireSchema<T> = z.ZodType<Wire<T, undefined>>

/** A value that serializes to such JSON: times may still be Date objects. */
export type Sendable<T> = unknown extends T
  ? T
  : T extends string
    ? T | (string extends T ? Date : never)
    : T extends Plain
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Sendable<Item>[]
        : { readonly [Name in keyof T]: Sendable<T[Name]> }
