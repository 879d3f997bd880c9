// Sends changes to the other servers on the same database, and receives theirs, with NOTIFY and LISTEN.
//
// Notifications are sent after the commit, in a separate transaction that carries all changes since the last one:
// commits that notify wait for each other, across the whole PostgreSQL server, until they are on disk. Each workspace
// has its own channel, so a server receives only changes of workspaces that its clients watch.

import { createHash } from 'node:crypto'
import { newId, type WorkspaceId } from '../../domain/ids.ts'
import type { Change, Watch } from '../changes.ts'
import { Watchers } from '../commits.ts'
import type { Finding } from '../store.ts'
import type { Connection } from './connection.ts'
import type { OpenListener, PgListener } from './listener.ts'

/** The payload limit of PostgreSQL is 7999 bytes. */
const MOST_BYTES = 7900
/** Pause between two notifications. Limits their rate, no matter how much is written. */
const PAUSE_MS = 50
/** Above this number of changes in a workspace, a single "everything" replaces them. */
const MOST_TOLD = 200
/**
 * Above this number of waiting changes, which happens only if none could be sent for a while, every workspace gets
 * "everything".
 */
const MOST_WAITING = 10_000
const RETRY_MS = 500
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5000

export interface AnnouncementSettings {
  readonly connection: Connection
  /** Undefined if the client cannot listen. */
  readonly open?:
    | ((on: Pick<Parameters<OpenListener>[0], 'onNotice' | 'onLost'>) => ReturnType<OpenListener>)
    | undefined
}

export class ChangeNotifier {
  readonly #connection: Connection
  readonly #open: AnnouncementSettings['open']
  /** Identifies this process, so that it can ignore its own notifications. */
  readonly #origin = newId(new Date())
  readonly #watchers = new Watchers()
  readonly #waiting = new Map<string, Change>()
  #sending: Promise<void> | undefined
  #syncing: Promise<void> = Promise.resolve()
  #listener: PgListener | undefined
  readonly #heard = new Map<string, WorkspaceId>()
  #retryMs = FIRST_RETRY_MS
  #hasGap = false
  #isClosing = false
  #isClosed = false
  /** Why the last attempt to send or listen failed. */
  failure: unknown
  /** False if notifications cannot be received. Determined when the first watcher is added. */
  hears = true

  constructor({ connection, open }: AnnouncementSettings) {
    this.#connection = connection
    this.#open = open
    this.hears = open !== undefined
  }

  /** Notifies watchers in this process at once, and other servers shortly after. */
  readonly emit: (changes: readonly Change[]) => void = (changes) => {
    this.#watchers.emit(changes)
    this.#keep(changes)
    this.#send()
  }

  async watch(watch: Watch): Promise<() => void> {
    const leave = this.#watchers.add(watch)
    await this.#sync()
    return () => {
      leave()
      void this.#sync()
    }
  }

  /** Whether notifications can be received, as a finding for `doctor`. */
  async check(): Promise<Finding> {
    const isOpen = this.#listener !== undefined
    if (!isOpen && this.hears) {
      const tried = await this.#open?.({ onNotice: () => undefined, onLost: () => undefined })
      this.hears = tried !== undefined
      await tried?.end()
    }
    return {
      check: this.hears
        ? 'clients are notified of writes by other servers'
        : 'clients are not notified of writes by other servers, because they connect through a pooler: set postgres.directUrl',
    }
  }

  /** Sends the waiting changes first, if possible. */
  async close(): Promise<void> {
    this.#isClosing = true
    while (this.#sending !== undefined) await this.#sending
    this.#isClosed = true
    await this.#syncing
    await this.#listener?.end()
    this.#listener = undefined
  }

  #keep(changes: readonly Change[]): void {
    for (const change of changes) this.#waiting.set(nameOf(change), change)
    if (this.#waiting.size <= MOST_WAITING) return
    const workspaces = new Set(Array.from(this.#waiting.values(), ({ workspace }) => workspace))
    this.#waiting.clear()
    for (const workspace of workspaces) {
      const change = { workspace, kind: 'everything' } as const
      this.#waiting.set(nameOf(change), change)
    }
  }

  #send(): void {
    if (this.#sending !== undefined || this.#waiting.size === 0 || this.#isClosed) return
    this.#sending = this.#sendWaiting().finally(() => {
      this.#sending = undefined
      this.#send()
    })
  }

  async #sendWaiting(): Promise<void> {
    const changes = [...this.#waiting.values()]
    this.#waiting.clear()
    const notices = toNotices(this.#connection.schema, this.#origin, changes)
    try {
      await this.#connection.write((session) =>
        session.run(
          `SELECT set_config('synchronous_commit', 'off', true), pg_notify(n.channel, n.payload)
           FROM unnest($1::text[], $2::text[]) AS n (channel, payload)`,
          notices.map(({ channel }) => channel),
          notices.map(({ payload }) => payload),
        ),
      )
      this.failure = undefined
      await sleep(PAUSE_MS)
    } catch (error) {
      this.failure = error
      if (this.#isClosing) return
      this.#keep(changes)
      await sleep(RETRY_MS)
    }
  }

  /** Listens to the channels of watched workspaces and to no others. Calls run one after the other. */
  #sync(): Promise<void> {
    this.#syncing = this.#syncing.then(async () => {
      if (this.#isClosed || !this.hears) return
      try {
        await this.#syncNow()
        this.#retryMs = FIRST_RETRY_MS
      } catch (error) {
        this.failure = error
        this.#lose()
      }
    })
    return this.#syncing
  }

  async #syncNow(): Promise<void> {
    const wanted = new Map(
      this.#watchers.workspaces.map((workspace) => [
        toChannel(this.#connection.schema, workspace),
        workspace,
      ]),
    )
    if (wanted.size === 0 && this.#listener === undefined) return
    this.#listener ??= await this.#open?.({ onNotice: this.#hear, onLost: () => this.#lose() })
    if (this.#listener === undefined) {
      this.hears = false
      return
    }
    for (const [channel, workspace] of wanted) {
      if (this.#heard.has(channel)) continue
      await this.#listener.run(`LISTEN ${channel}`)
      this.#heard.set(channel, workspace)
    }
    for (const channel of this.#heard.keys()) {
      if (wanted.has(channel)) continue
      await this.#listener.run(`UNLISTEN ${channel}`)
      this.#heard.delete(channel)
    }
    if (this.#hasGap) this.#watchers.emitEverything()
    this.#hasGap = false
  }

  readonly #hear = (channel: string, payload: string): void => {
    const workspace = this.#heard.get(channel)
    const [origin, ...changes]: Notice = JSON.parse(payload)
    if (workspace === undefined || origin === this.#origin) return
    this.#watchers.emit(changes.map(([kind, id]) => ({ workspace, kind, ...(id !== undefined && { id }) })))
  }

  #lose(): void {
    const lost = this.#listener
    this.#listener = undefined
    this.#heard.clear()
    this.#hasGap = true
    lost?.end().catch(() => undefined)
    if (this.#isClosed) return
    setTimeout(() => void this.#sync(), this.#retryMs).unref()
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2)
  }
}

/** The sender and its changes. */
type Notice = [origin: string, ...changes: [kind: Change['kind'], id?: string][]]

function toNotices(
  schema: string,
  origin: string,
  changes: readonly Change[],
): readonly { readonly channel: string; readonly payload: string }[] {
  const workspaces = new Set(changes.map(({ workspace }) => workspace))
  return [...workspaces].flatMap((workspace) => {
    const own = changes.filter((change) => change.workspace === workspace)
    const channel = toChannel(schema, workspace)
    return toPayloads(origin, own).map((payload) => ({ channel, payload }))
  })
}

/** Puts as many changes into each payload as fit. */
export function toPayloads(origin: string, changes: readonly Change[]): readonly string[] {
  const everything: Notice = [origin, ['everything']]
  if (changes.length > MOST_TOLD) return [JSON.stringify(everything)]
  const whole = JSON.stringify([origin, ...changes.map(toEntry)])
  if (Buffer.byteLength(whole) <= MOST_BYTES) return [whole]
  if (changes.length === 1) return [JSON.stringify(everything)]
  const half = changes.length >> 1
  return [...toPayloads(origin, changes.slice(0, half)), ...toPayloads(origin, changes.slice(half))]
}

const toEntry = ({ kind, id }: Change): readonly string[] => (id === undefined ? [kind] : [kind, id])

const nameOf = ({ workspace, kind, id }: Change): string => JSON.stringify([workspace, kind, id])

/** Workspace names have any length, channel names do not. */
function toChannel(schema: string, workspace: WorkspaceId): string {
  return `recollect_${createHash('md5')
    .update(JSON.stringify([schema, workspace]))
    .digest('hex')}`
}

const sleep = (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms))
