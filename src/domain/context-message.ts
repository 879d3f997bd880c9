import type { Content, Role } from './message.ts'

/** A message as it is handed to a model: the shape of the record, without what only the record needs. */
export interface ContextMessage {
  readonly role: Role
  readonly content: Content
  readonly name?: string
}
