import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'
import { scriptedServer } from '../support/scripted-models.ts'
import { spawnServer } from '../support/server-process.ts'

const { recollect, folder } = useCommandLine()

test('serve prints its address and the locations of docs and data', async () => {
  const { printed, path, url, ask, end } = await spawnServer({ words: ['--log', 'info'] })
  expect(printed()).toContain(`listening on ${url}`)
  expect(printed()).toContain(`${url}/docs`)
  expect(printed()).toContain(path)
  expect((await ask('GET', '/')).text).toContain('<div id="app">')
  expect((await ask('GET', '/docs')).text).toContain('/api/conversations/{conversationId}/messages')
  await ask('GET', '/api/health')
  await expect.poll(printed).toContain('"route":"/api/health"')
  expect(await end('SIGINT')).toBe(0)
})

test('port, host and memory options are read from the environment', async () => {
  const { ask, url } = await spawnServer({
    env: {
      RECOLLECT_SERVER_HOST: 'localhost',
      RECOLLECT_LIMITS_BATCH_MESSAGES: '1',
      RECOLLECT_DERIVE_WHEN: 'never',
    },
  })
  expect(url).toMatch(/^http:\/\/localhost:\d+$/)
  const message = { role: 'user', content: 'Hello' }
  const one = await ask('POST', '/api/conversations/a/messages', { body: message })
  expect(one.body.messages[0].topicId).toBeNull()
  const two = await ask('POST', '/api/conversations/a/messages', { body: { messages: [message, message] } })
  expect(two.status).toBe(413)
})

test('listening on a public address requires a key', async () => {
  const refused = recollect(['serve', '--host', '0.0.0.0', '--port', '0'])
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.error).toContain('recollect keys create')
  expect(recollect(['serve', '--port', '99999'])).toMatchObject({ code: 1 })
  expect(recollect(['serve', '--log', 'everything'])).toMatchObject({ code: 2 })
})

test('a key created or deleted while the server runs takes effect at once', async () => {
  const { ask, path } = await spawnServer()
  const run = (...words: string[]) => recollect(['--db', path, ...words, '--json'])
  const { key, id } = JSON.parse(run('keys', 'create').out)
  expect((await ask('GET', '/api/conversations', { key })).status).toBe(200)
  run('keys', 'revoke', id)
  expect((await ask('GET', '/api/conversations', { key })).status).toBe(401)
})

test('a local Ollama is detected, reported, and answers chats and the proxy', async () => {
  const ollama = await scriptedServer()
  ollama.always(({ path }) => (path === '/v1/chat/completions' ? { text: 'From Ollama.' } : {}))
  const { printed, ask } = await spawnServer({ env: { RECOLLECT_OLLAMA: ollama.url } })
  expect(printed()).toContain(`scripted:latest · detected at ${ollama.url}/v1`)
  expect(printed()).toContain(`/v1 · forwards to ${new URL(ollama.url).host}\n`)
  expect((await ask('GET', '/api/models')).body).toMatchObject({
    chat: { name: 'scripted:latest', isResting: false },
    hasProxy: true,
  })
  const turn = await ask('POST', '/api/conversations/a/chat', { body: { message: 'Hello there, Ollama.' } })
  expect(turn.text).toContain('"delta":"From')
  const body = { model: 'any', messages: [{ role: 'user', content: 'Hello there again.' }] }
  const answer = await ask('POST', '/v1/chat/completions', { body })
  expect(answer.body.choices[0].message.content).toBe('From Ollama.')
})

test('an Ollama that was found automatically answers, and writes summaries only if configured', async () => {
  const ollama = await scriptedServer()
  ollama.always(({ path }) => (path === '/v1/chat/completions' ? { text: 'From Ollama.' } : {}))
  const messages = Array.from({ length: 14 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `Sentence number ${i} is about the harvest of ${1990 + i}, and how it was brought in.`,
  }))
  const talk = async (env: Readonly<Record<string, string>>) => {
    const { ask } = await spawnServer({ env: { RECOLLECT_OLLAMA: ollama.url, ...env } })
    await ask('POST', '/api/conversations/a/messages', { body: { messages } })
    return ask
  }
  const calls = () => ollama.requests.filter(({ path }) => path === '/v1/chat/completions').length
  const ask = await talk({})
  const pending = async () => (await ask('GET', '/api/health')).body.pendingJobs
  await expect.poll(pending, { timeout: 60_000 }).toBe(0)
  expect(calls()).toBe(0)
  await talk({ RECOLLECT_DERIVE_BY: 'model' })
  await expect.poll(calls, { timeout: 60_000 }).toBeGreaterThan(0)
})

test('Ollama is not used if it is disabled or a model is configured', async () => {
  const ollama = await scriptedServer()
  const off = await spawnServer({ env: { RECOLLECT_OLLAMA: 'off' } })
  expect(off.printed()).toContain('model    none · answers come from memory; set RECOLLECT_MODEL_URL')
  expect(off.printed()).toContain('proxy    none')
  const named = await spawnServer({
    env: {
      RECOLLECT_OLLAMA: ollama.url,
      RECOLLECT_MODELS_CHAT_URL: ollama.url,
      RECOLLECT_MODELS_CHAT_MODEL: 'named',
    },
  })
  expect(named.printed()).toContain('model    named')
  expect(ollama.requests.filter(({ path }) => path === '/api/tags')).toEqual([])
})

test('doctor calls the models and reports problems', async () => {
  const server = await scriptedServer()
  const run = runWith({
    RECOLLECT_MODELS_CHAT_URL: server.url,
    RECOLLECT_MODELS_CHAT_MODEL: 'small',
    RECOLLECT_MODELS_EMBEDDINGS_URL: server.url,
    RECOLLECT_MODELS_EMBEDDINGS_MODEL: 'vectors',
    RECOLLECT_MODELS_RETRIES: '0',
  })
  await run(['record', 'a', 'Hello'])
  const well = await run(['doctor'])
  expect(well.out).toMatch(/✓ chat model small responds in \d+ ms/)
  expect(well.out).toMatch(/✓ embedding model \S*vectors\S* responds in \d+ ms/)
  server.always({ status: 401 })
  const ill = await run(['doctor'])
  expect(ill.out).toContain('✗ chat model')
  expect(ill.out).toContain('models.chat.key')
  expect(ill.code).toBe(3)
})

/** The command line in a process that this one does not wait for: a server here can answer it. */
function runWith(env: Readonly<Record<string, string>>) {
  const main = join(import.meta.dirname, '../../dist/cli/main.js')
  return (words: readonly string[]): Promise<{ readonly out: string; readonly code: number | null }> => {
    const child = spawn(process.execPath, [main, ...words], {
      env: { ...process.env, NO_COLOR: '1', RECOLLECT_DB: join(folder(), 'memory.db'), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (piece) => (out += piece))
    return new Promise((resolve) => child.once('close', (code) => resolve({ out, code })))
  }
}
