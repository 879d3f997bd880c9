import { expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'
import { spawnServer } from '../support/server-process.ts'

const { recollect } = useCommandLine()

test('it says where it listens, where the docs are and where the data lies', async () => {
  const { printed, path, url, ask, end } = await spawnServer({ words: ['--log', 'info'] })
  expect(printed()).toContain(`listens on ${url}`)
  expect(printed()).toContain(`${url}/docs`)
  expect(printed()).toContain(path)
  expect((await ask('GET', '/')).text).toContain('<div id="app">')
  expect((await ask('GET', '/docs')).text).toContain('/api/conversations/{conversationId}/messages')
  await ask('GET', '/api/health')
  await expect.poll(printed).toContain('"route":"/api/health"')
  expect(await end('SIGINT')).toBe(0)
})

test('port, host and options of the memory come from the environment', async () => {
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

test('an address that others can reach is refused without a key, and taken with one', async () => {
  const refused = recollect(['serve', '--host', '0.0.0.0', '--port', '0'])
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.error).toContain('recollect keys create')
  expect(recollect(['serve', '--port', '99999'])).toMatchObject({ code: 1 })
  expect(recollect(['serve', '--log', 'everything'])).toMatchObject({ code: 2 })
})

test('a key that is made or revoked while the server runs holds at once', async () => {
  const { ask, path } = await spawnServer()
  const run = (...words: string[]) => recollect(['--db', path, ...words, '--json'])
  const { key, id } = JSON.parse(run('keys', 'create').out)
  expect((await ask('GET', '/api/conversations', { key })).status).toBe(200)
  run('keys', 'revoke', id)
  expect((await ask('GET', '/api/conversations', { key })).status).toBe(401)
})
