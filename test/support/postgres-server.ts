// One PostgreSQL server for all tests of a run, gone at the end. Tests get a schema of their own each, in a database of
// the file's own.

import type { TestProject } from 'vitest/node'
import { startCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server, up to the name of a database. */
    postgres: string
    /** Where its files lie. */
    postgresFolder: string
  }
}

let stop: () => void = () => undefined

export async function setup(project: TestProject): Promise<void> {
  const { url, data, remove } = await startCluster({ settings: ['max_connections=100'] })
  // A run that is ended from outside takes its server along.
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
