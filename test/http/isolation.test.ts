// A workspace sees only itself: every route of the OpenAPI document is asked with the key of one workspace for what
// another has. Nothing of the other may be in any answer, and nothing of it may change.

import { afterAll, describe, expect, test } from 'vitest'
import { type KeyScope, openMemory, type Workspace } from '../../src/index.ts'
import { createHandler } from '../../src/server/start-server.ts'
import { fillPath, operationsOf } from '../support/api-document.ts'
import { toAnswer } from '../support/http-server.ts'
import { collectText } from '../support/open-temporary.ts'
import { fillWorkspace, toParams, toSamples } from './route-samples.ts'

const BASE = 'http://localhost'
const SECRET = 'vexillology'

const operations = await listOperations()

async function listOperations() {
  const memory = await openMemory(':memory:')
  const { body } = await toAnswer(await createHandler(memory)(new Request(`${BASE}/openapi.json`)))
  await memory.close()
  return operationsOf(body)
}

/** Everything that a workspace has. */
async function dump(memory: Workspace): Promise<unknown> {
  const exported = JSON.parse(await collectText(memory.export()))
  const keys = await memory.keys.list().toArray()
  const topics = []
  for (const { id } of (await memory.conversations.list({ archived: 'with' })).items)
    topics.push(
      (await memory.conversation(id).topics.list().toArray()).map(({ id: topic, messageIds }) => [
        topic,
        messageIds,
      ]),
    )
  return { ...exported, exportedAt: '', keys: keys.map(({ id }) => id), topics }
}

const memory = await openMemory(':memory:')
const theirs = memory.workspace('theirs')
const filled = await fillWorkspace(theirs, SECRET)
const handler = createHandler(memory, { requireKey: true })
afterAll(() => memory.close())

let made = 0
/** A key to a new workspace, in which nothing is yet. */
const newKey = async (scope: KeyScope): Promise<string> =>
  (await memory.workspace(`mine-${made++}`).keys.create({ scope })).key

function requestFor({ method, path, operation }: (typeof operations)[number], key: string): Request {
  const sample = toSamples(filled)[operation.operationId] ?? {}
  return new Request(BASE + fillPath(path, toParams(filled)) + (sample.query ?? ''), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(sample.body !== undefined && { body: JSON.stringify(sample.body) }),
  })
}

/** Ids begin with the secret and a dash; what the caller named itself may come back. */
const leaksOf = (answer: string, asked: string): readonly string[] =>
  [...answer.matchAll(/vexillology(?:-\w+)?/gi)]
    .map(([found]) => found)
    .filter((found) => found === SECRET || !asked.includes(found))

describe('with the key of another workspace:', () => {
  test.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_name, listed) => {
      const before = await dump(theirs)
      const request = requestFor(listed, await newKey('write'))
      const asked = decodeURIComponent(request.url) + (await request.clone().text())
      const answer = await toAnswer(await handler(request))
      expect(answer.status).toBeLessThan(500)
      expect(leaksOf(answer.text, asked)).toEqual([])
      expect(await dump(theirs)).toEqual(before)
      if (listed.path.includes('{') && listed.method === 'GET' && !MAKES.has(listed.operation.operationId))
        expect(answer.status).toBe(404)
    },
  )
})

/** Made where it is missing, or an empty list. */
const MAKES = new Set(['loadPage', 'listQueries'])

test('a key cannot choose another workspace, unless its scope is admin', async () => {
  const ask = async (key: string) =>
    toAnswer(
      await handler(
        new Request(`${BASE}/api/conversations/${filled.conversation}`, {
          headers: { authorization: `Bearer ${key}`, 'x-recollect-workspace': 'theirs' },
        }),
      ),
    )
  for (const scope of ['read', 'write'] as const) expect((await ask(await newKey(scope))).status).toBe(403)
  expect((await ask(await newKey('admin'))).body.id).toBe(filled.conversation)
})

test('a client without access to a workspace cannot find out whether it exists', async () => {
  const key = await newKey('write')
  const ask = async (workspace: string) =>
    toAnswer(
      await handler(
        new Request(`${BASE}/api/stats`, {
          headers: { authorization: `Bearer ${key}`, 'x-recollect-workspace': workspace },
        }),
      ),
    )
  expect((await ask('theirs')).body.error.code).toBe((await ask('nowhere')).body.error.code)
})
