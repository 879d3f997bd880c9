import { afterAll, beforeAll, describe } from 'vitest'
import { openChromaVectors } from '../../src/store/chroma/chroma-vectors.ts'
import { checkVectors } from '../support/check-vectors.ts'
import { type ChromaServer, startChroma, whyNoChroma } from '../support/chroma-server.ts'

const problem = whyNoChroma()
if (problem !== undefined) console.info(`skipped: ${problem}`)

let server: ChromaServer
let stop: () => Promise<void> = async () => undefined
let opened = 0

beforeAll(async () => {
  if (problem !== undefined) return
  server = await startChroma((end) => {
    stop = end
  })
})
afterAll(() => stop())

describe.skipIf(problem !== undefined)('a real server', () => {
  checkVectors('Chroma', () =>
    openChromaVectors({
      url: server.url,
      key: '',
      tenant: 'default_tenant',
      database: 'default_database',
      prefix: `check-${opened++}`,
    }),
  )
})
