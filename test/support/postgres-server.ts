// One PostgreSQL server for all tests of a run, removed at the end. Each test file gets a database, each test a schema.

import type { TestProject } from 'vitest/node'
import { startCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server, without a database name. */
    postgres: string
    /** Its data directory. */
    postgresFolder: string
  }
}

let stop: () => void = () => undefined

export async function setup(project: TestProject): Promise<void> {
  const { url, data, remove } = await startCluster({ settings: ['max_connections=100'] })
  // Stops the server when the run is terminated.
  process.once('SIGTERM', () => {
    stop()
    process.exit(143)
  })
  project.provide('postgres', url)
  project.provide('postgresFolder', data)
  stop = () => {
    stop = () => undefined
    remove()
  }
}

export function teardown(): void {
  stop()
}
