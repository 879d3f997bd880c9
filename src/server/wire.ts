import type { ConversationId, DocumentId, MessageId, PageId, QueryId, WorkspaceId } from '../index.ts'

type Id = ConversationId | DocumentId | MessageId | PageId | QueryId | WorkspaceId
type Plain = string | number | boolean | null | undefined

/** A value of the library as JSON has it: times and ids are text. */
export type Wire<T> = unknown extends T
  ? T
  : T extends Date | Id
    ? string
    : T extends Plain
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Wire<Item>[]
        : { readonly [Name in keyof T]: Wire<T[Name]> | MaybeMissing<T, Name> }

/** zod takes what may be missing for what may be undefined. */
type MaybeMissing<T, Name extends keyof T> = object extends Pick<T, Name> ? undefined : never

/** What may be handed over to be sent as such JSON: times need not be made into text. */
export type Sendable<T> = unknown extends T
  ? T
  : T extends string
    ? T | (string extends T ? Date : never)
    : T extends Plain
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Sendable<Item>[]
        : { readonly [Name in keyof T]: Sendable<T[Name]> }
