import { defineConfig, type UserConfig } from 'vite'

// The memory's server is reached under the page's own address: `npm run memory` in another terminal starts it. The
// origin stays: the server refuses what comes from the pages of other sites.
const config: UserConfig = defineConfig({
  server: { proxy: { '/api': { target: 'http://127.0.0.1:4747', changeOrigin: false } } },
})

export default config
