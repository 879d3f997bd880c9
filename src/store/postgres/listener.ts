// A connection that only listens, with the package `pg`.

import { isSession, loadPackage, type Pooling } from './driver.ts'

export interface PgListener {
  /** Runs `LISTEN` or `UNLISTEN`. */
  run(sql: string): Promise<void>
  end(): Promise<void>
}

export interface ListenerSettings {
  readonly url: string
  readonly connectTimeoutMs: number
  readonly pooling: Pooling
  readonly onNotice: (channel: string, payload: string) => void
  /** The connection was lost. Called once, and not after `end`. */
  readonly onLost: () => void
}

/** Undefined behind a pooler, where notifications would go to another session. */
export type OpenListener = (settings: ListenerSettings) => Promise<PgListener | undefined>

/** Interval of the check that detects a connection lost without notice. */
const PING_MS = 30_000

export const openListener: OpenListener = async (settings) => {
  const pg = await loadPackage()
  const { url, connectTimeoutMs } = settings
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs,
    keepAlive: true,
    application_name: 'recollect listens',
  })
  let isOver = false
  const end = async () => {
    isOver = true
    clearInterval(pinging)
    await client.end()
  }
  const lose = () => {
    if (isOver) return
    // Not awaited, since a lost connection may never answer.
    end().catch(() => undefined)
    settings.onLost()
  }
  const pinging = setInterval(() => client.query('SELECT 1').catch(lose), PING_MS)
  pinging.unref()
  client.on('error', lose)
  client.on('end', lose)
  client.on('notification', ({ channel, payload = '' }) => settings.onNotice(channel, payload))
  try {
    await client.connect()
    if (await isSession(client, settings.pooling))
      return { run: async (sql) => void (await client.query(sql)), end }
  } catch (error) {
    isOver = true
    clearInterval(pinging)
    throw error
  }
  await end()
  return undefined
}
