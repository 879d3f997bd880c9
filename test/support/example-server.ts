import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')

/**
 * Builds an example with Vite, once for a file of tests. Gives how to serve it, with the memory's server under the
 * same address; each is gone after its test.
 */
export function buildExample(name: string): (memoryUrl: string) => Promise<string> {
  const folder = join(root, 'examples', name)
  const outDir = mkdtempSync(join(tmpdir(), 'recollect-example-'))
  afterAll(() => rmSync(outDir, { recursive: true, force: true }))
  beforeAll(async () => {
    const { build } = await import('vite')
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      // As the package is found once it is installed.
      resolve: {
        alias: {
          'recollect/react/theme.css': join(root, 'src/adapters/react/theme.css'),
          'recollect/react': join(root, 'src/adapters/react/index.ts'),
        },
      },
      build: { outDir, emptyOutDir: true, minify: false },
    })
  })
  return async (memoryUrl) => {
    const { preview } = await import('vite')
    const server = await preview({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      build: { outDir },
      preview: {
        host: '127.0.0.1',
        port: 0,
        proxy: { '/api': { target: memoryUrl, changeOrigin: false } },
      },
    })
    onTestFinished(() => server.close())
    const [url] = server.resolvedUrls?.local ?? []
    if (url === undefined) throw new TypeError('the example is not served')
    return url
  }
}
