// Opens the pools and makes the settings on every connection that the promises of the store depend on.

import { MemoryError } from '../../domain/errors.ts'
import { Connection } from './connection.ts'
import { type OpenPool, openPool, type Pooling, type PoolSettings } from './driver.ts'
import type { OpenListener } from './listener.ts'
import { quoteName } from './migrate.ts'

/** `full` survives a crash of the server; `relaxed` may lose the last acknowledged writes. */
export type Durability = 'full' | 'relaxed'

export interface OpenSettings {
  readonly url: string
  readonly durability: Durability
  readonly busyTimeoutMs: number
  readonly schema: string
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly pooling: Pooling
  /** The address of the server itself if `url` points to a pooler; empty otherwise. */
  readonly directUrl: string
  /** If empty, recall uses the primary too. */
  readonly replicaUrl: string
  /** Replaces the client `pg`. */
  readonly openPool?: OpenPool
  readonly openListener?: OpenListener
}

export async function openDatabase(settings: OpenSettings): Promise<Connection> {
  const open = settings.openPool ?? openPool
  const openAt = (url: string, mostMs = Number.POSITIVE_INFINITY) => {
    const connectTimeoutMs = Math.min(settings.connectTimeoutMs, mostMs)
    return url === '' ? undefined : open({ ...toPool(settings, url), connectTimeoutMs })
  }
  const pools = {
    primary: await open(toPool(settings, settings.url)),
    replica: await openAt(settings.replicaUrl, REPLICA_CONNECT_MS),
    direct: await openAt(settings.directUrl),
  }
  const connection = new Connection(pools, { location: toLocation(settings.url), schema: settings.schema })
  try {
    await connection.read(requireServer)
  } catch (error) {
    await connection.close()
    throw error
  }
  return connection
}

/** Short, because the primary can serve the request instead. */
const REPLICA_CONNECT_MS = 2000

/** A hanging process must not keep rows locked forever; a slow one finishes sooner than this. */
const LONGEST_IDLE_MS = 300_000

function toPool(settings: OpenSettings, url: string): PoolSettings {
  const synchronous = settings.durability === 'full' ? 'on' : 'off'
  return {
    url,
    poolSize: settings.poolSize,
    connectTimeoutMs: settings.connectTimeoutMs,
    pooling: settings.pooling,
    prepare: [
      `SET search_path = ${quoteName(settings.schema)}`,
      `SET synchronous_commit = ${synchronous}`,
      `SET lock_timeout = ${settings.busyTimeoutMs}`,
      `SET statement_timeout = ${settings.statementTimeoutMs}`,
      `SET idle_in_transaction_session_timeout = ${LONGEST_IDLE_MS}`,
      'SET client_encoding = UTF8',
    ],
  }
}

/** Version 14 introduced `bit_count`. */
const OLDEST_SERVER = 140_000

async function requireServer(session: { get<Row>(sql: string): Promise<Row | undefined> }): Promise<void> {
  const found = await session.get<{ version: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
  )
  if (found !== undefined && found.version < OLDEST_SERVER) {
    throw new MemoryError('store-failed', 'PostgreSQL 14 or newer is needed', { hint: 'update the server' })
  }
  if (found?.encoding !== 'UTF8') {
    throw new MemoryError(
      'store-failed',
      `the database is in ${found?.encoding}, which cannot keep every text`,
      {
        hint: "make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
      },
    )
  }
}

/** The address without its password, for messages. */
export function toLocation(url: string): string {
  if (!URL.canParse(url)) return 'the PostgreSQL database'
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}
