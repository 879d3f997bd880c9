import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const config: UserConfig = defineConfig({
  root: here('.'),
  // The app builds on the package's own React parts, from their source.
  resolve: { alias: { 'recollect/react': here('../src/adapters/react/index.ts') } },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Names with a digest may be kept for ever; everything else is asked for each time.
    assetsDir: 'assets',
    // A file turned into an address of its own text would need `data:` in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4747', '/metrics': 'http://127.0.0.1:4747' } },
})

export default config
