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

/** The JSON form of a library type: times and ids are strings. */
export type Wire<T> = unknown extends T
  ? T
  : T extends Date | Id
    ? string
    : T extends Plain
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Wire<Item>[]
        : { readonly [Name in keyof T]: Wire<T[Name]> }

/** A message with the id of its topic, once that is known. */
export type WireMessage = Wire<Message> & { readonly topicId: string | null }
export type WireConversation = Wire<Conversation>

/** A page of a list. `next` is the cursor of the next page; null at the end. */
export type Listed<Name extends string, Item> = { readonly [Key in Name]: readonly Item[] } & {
  readonly next: string | null
}
