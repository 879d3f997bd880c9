import type { ConversationId, DocumentId, MessageId, PageId, QueryId, WorkspaceId } from '../index.ts'

type Id = ConversationId | DocumentId | MessageId | PageId | QueryId | WorkspaceId
type Plain = string | number | boolean | null | undefined

/** The JSON form of a library type: times and ids are strings. */
export type Wire<T> = unknown extends T
  ? T
  : T extends Date | Id
    ? string
    : T extends Plain
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Wire<Item>[]
        : { readonly [Name in keyof T]: Wire<T[Name]> | MaybeMissing<T, Name> }

/** zod types optional properties as possibly undefined. */
type MaybeMissing<T, Name extends keyof T> = object extends Pick<T, Name> ? undefined : never

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
