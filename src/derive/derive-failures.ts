import { type ConversationKey, conversationId, workspaceId } from '../domain/ids.ts'
import { cacheKeyOf } from './conversation-name.ts'

/** A conversation that could not be derived. Its messages are kept. */
export interface DeriveFailure extends ConversationKey {
  readonly error: unknown
  readonly failedAt: Date
}

/** Work that does not belong to a single conversation. */
export type BackgroundTask = 'stale-scan' | 'vectors'

const NOWHERE: ConversationKey = { workspace: workspaceId(''), conversation: conversationId('') }

/** The last error of each conversation and background task; cleared when it succeeds. */
export class DeriveFailures {
  readonly #now: () => Date
  readonly #failures = new Map<string, DeriveFailure>()

  constructor(now: () => Date) {
    this.#now = now
  }

  note(where: ConversationKey | BackgroundTask, error: unknown): void {
    const key = typeof where === 'string' ? NOWHERE : where
    this.#failures.set(toName(where), { ...key, error, failedAt: this.#now() })
  }

  clear(where: ConversationKey | BackgroundTask): void {
    this.#failures.delete(toName(where))
  }

  list(): readonly DeriveFailure[] {
    return [...this.#failures.values()]
  }
}

const toName = (where: ConversationKey | BackgroundTask): string =>
  typeof where === 'string' ? where : cacheKeyOf(where)
