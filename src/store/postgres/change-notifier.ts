// What changed, told to the other servers on the same database, and heard from them: NOTIFY and LISTEN.
//
// Told after the commit, in a transaction of its own that carries all that came meanwhile: commits that notify wait
// for each other, all over the server, until they are on the disk. A channel for each workspace: a server hears only of
// those that somebody there watches.

import { createHash } from 'node:crypto'
import { newId, type WorkspaceId } from '../../domain/ids.ts'
import type { Change, Watch } from '../changes.ts'
import type { Finding } from '../store.ts'
import { Watchers } from '../watchers.ts'
import type { Connection } from './connection.ts'
import type { OpenListener, PgListener } from './listener.ts'

/** PostgreSQL takes 8000 bytes less one. */
const MOST_BYTES = 7900
/** From one announcement to the next: so many a second at most, however much is written. */
const PAUSE_MS = 50
/** Above that, those of a workspace are one: look at everything. */
const MOST_TOLD = 200
/** Above that, each workspace is told to look at everything: it was not told anything for long. */
const MOST_WAITING = 10_000
const RETRY_MS = 500
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5000

export interface AnnouncementSettings {
  readonly connection: Connection
  /** Missing where the client cannot listen. */
  readonly open?:
    | ((on: Pick<Parameters<OpenListener>[0], 'onNotice' | 'onLost'>) => ReturnType<OpenListener>)
    | undefined
}

export class ChangeNotifier {
  readonly #connection: Connection
  readonly #open: AnnouncementSettings['open']
  /** Tells what this process said from what others did. */
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
  /** Why others could not be told or heard when it was last tried. */
  failure: unknown
  /** False where others cannot be heard, which is found out with the first who wants to. */
  hears = true

  constructor({ connection, open }: AnnouncementSettings) {
    this.#connection = connection
    this.#open = open
    this.hears = open !== undefined
  }

  /** To those who watch here at once, to those elsewhere in a moment. */
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

  /** Whether others can be heard, for people. */
  async check(): Promise<Finding> {
    const isOpen = this.#listener !== undefined
    if (!isOpen && this.hears) {
      const tried = await this.#open?.({ onNotice: () => undefined, onLost: () => undefined })
      this.hears = tried !== undefined
      await tried?.end()
    }
    return {
      check: this.hears
        ? 'clients are told what other servers write'
        : 'clients are not told what other servers write: a pooler is in between (postgres.directUrl says the way past it)',
    }
  }

  /** What is not told yet is told first, where it can be. */
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

  /** Listens to what is watched, and to nothing else; one after the other. */
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

/** Who says it, and what. */
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

/** As many changes to each as fit. */
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

/** Names are of any length; those of channels are not. */
function toChannel(schema: string, workspace: WorkspaceId): string {
  return `recollect_${createHash('md5')
    .update(JSON.stringify([schema, workspace]))
    .digest('hex')}`
}

const sleep = (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms))
