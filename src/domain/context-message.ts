import type { Content, Role } from './message.ts'

/** A message for a model: a stored message without the fields that only the record needs. */
export interface ContextMessage {
  readonly role: Role
  readonly content: Content
  readonly name?: string
}
