import { type ConversationKey, conversationId, workspaceId } from '../domain/ids.ts'
import { cacheKeyOf } from './conversation-name.ts'

/** A conversation that could not be derived; its messages are kept. */
export interface DeriveFailure extends ConversationKey {
  readonly error: unknown
  readonly failedAt: Date
}

/** Work that is no conversation's own. */
export type BackgroundTask = 'stale-scan' | 'vectors'

const NOWHERE: ConversationKey = { workspace: workspaceId(''), conversation: conversationId('') }

/** What went wrong last, and has not gone well since. */
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
