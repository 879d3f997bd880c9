import type {
  Conversation,
  ConversationId,
  DocumentId,
  Message,
  MessageId,
  PageId,
  QueryId,
  WorkspaceId,
} from '../../../index.ts'

type Id = ConversationId | DocumentId | MessageId | PageId | QueryId | WorkspaceId
type Plain = string | number | boolean | null | undefined

/** A value of the library as it comes over HTTP: times and ids are text. */
export type Wire<T> = unknown extends T
  ? T
  : T extends Date | Id
    ? string
    : T extends Plain
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Wire<Item>[]
        : { readonly [Name in keyof T]: Wire<T[Name]> }

/** A message, and which topic it belongs to once that is known. */
export type WireMessage = Wire<Message> & { readonly topicId: string | null }
export type WireConversation = Wire<Conversation>

/** A part of a list. `next` leads on; it is null at the end. */
export type Listed<Name extends string, Item> = { readonly [Key in Name]: readonly Item[] } & {
  readonly next: string | null
}
