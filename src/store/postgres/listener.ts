// A connection that does nothing but listen, with the package `pg`.

import { isSession, loadPackage, type Pooling } from './driver.ts'

export interface PgListener {
  /** `LISTEN` or `UNLISTEN`. */
  run(sql: string): Promise<void>
  end(): Promise<void>
}

export interface ListenerSettings {
  readonly url: string
  readonly connectTimeoutMs: number
  readonly pooling: Pooling
  readonly onNotice: (channel: string, payload: string) => void
  /** Nothing comes any more. Called once, and not after `end`. */
  readonly onLost: () => void
}

/** Undefined where a pooler is in between: what one listens to there, another session hears. */
export type OpenListener = (settings: ListenerSettings) => Promise<PgListener | undefined>

/** A connection that is gone without a word is noticed after so long. */
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
    // It may not answer any more: nobody waits for it.
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
