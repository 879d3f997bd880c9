import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { chromaIds } from '../support/chroma-memory.ts'
import { startChroma, whyNoChroma } from '../support/chroma-server.ts'
import { scriptedServer } from '../support/scripted-models.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js')

/** Runs in a child process, because this process serves the embedding model. */
function recollect(
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<{ out: string; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...words], {
      env: { ...process.env, NO_COLOR: '1', RECOLLECT_OLLAMA: 'off', ...env },
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece: Buffer) => {
        out += piece.toString()
      })
    }
    child.on('close', (code) => resolve({ out, code }))
  })
}

test.skipIf(whyNoChroma() !== undefined)(
  'the command line configures Chroma from the environment: doctor checks it, and an erase reaches it',
  async () => {
    const embeddings = await scriptedServer()
    const server = await startChroma()
    const path = temporaryPath()
    const models = { embeddings: { url: embeddings.url, model: 'words' } }
    const memory = await openMemory(path, { models, vectors: { chroma: { url: server.url } } })
    await memory
      .conversation('home')
      .record({ id: 'cat', role: 'user', content: 'Our cat is called Figaro.' })
    await memory.whenDerived()
    await memory.close()
    expect(await chromaIds(server.url)).toContain('message:cat:')
    const env = {
      RECOLLECT_DB: path,
      RECOLLECT_EMBEDDING_URL: embeddings.url,
      RECOLLECT_EMBEDDING_MODEL: 'words',
      RECOLLECT_CHROMA_URL: server.url,
    }
    const healthy = await recollect(env, 'doctor')
    expect(healthy.out).toContain(`✓ Chroma at ${server.url} responds and has vectors of 1 workspaces`)
    expect(healthy.code).toBe(0)
    const erased = await recollect(env, 'erase', '--message', 'cat', '--yes')
    expect(erased.out).toContain('Nothing of it remains')
    expect(await chromaIds(server.url)).not.toContain('message:cat:')
    await server.kill()
    const sick = await recollect(env, 'doctor')
    expect(sick.out).toMatch(
      /✗ the vector store: Chroma at .* cannot be reached\n {2}→ is the server running/,
    )
    expect(sick.code).toBe(3)
  },
)
