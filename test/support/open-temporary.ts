import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type Memory, type OpenOptions, openMemory } from '../../src/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A memory in a file that is removed after the test, or in a PostgreSQL database if the run has a server. */
export async function openTemporary(options: OpenOptions = {}, file = 'memory.db'): Promise<Memory> {
  if (inject('postgres') !== undefined) return openOnPostgres(options)
  const memory = await openMemory(join(temporaryFolder(), file), options)
  onTestFinished(() => memory.close())
  return memory
}

/** Whether an erase scrubs the files without a separate call, on the backend of this run. */
export const scrubsAtOnce = (): boolean => inject('postgres') === undefined

async function openOnPostgres(options: OpenOptions): Promise<Memory> {
  const { postgresUrl, releaseSchema, takeSchema } = await import('./postgres-store.ts')
  const schema = await takeSchema()
  const postgres = { schema, poolSize: 4, ...options.postgres }
  const memory = await openMemory(await postgresUrl(), { ...options, postgres })
  onTestFinished(async () => {
    await memory.close()
    releaseSchema(schema)
  })
  return memory
}

/** All pieces joined. */
export async function collectText(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

/** A text in pieces of a few characters, as a stream might deliver it. */
export async function* inPieces(text: string, size = 1000): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
