// Every route of the OpenAPI document is there and answers as described: status, schema, and nothing that is not
// described. The checks are made with the published document, by a validator that knows nothing of our code.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { startScriptedServer } from '../../src/model/scripted/testing.ts'
import type { Operation } from '../../src/server/description/openapi.ts'
import { createHandler } from '../../src/server/start-server.ts'
import { fillPath, operationsOf, undescribedFields, validatorOf } from '../support/api-document.ts'
import { type Answer, toAnswer } from '../support/http-server.ts'
import { fillWorkspace, toParams, toSamples } from './route-samples.ts'

const BASE = 'http://localhost'
/** The server behind the proxy. */
const behind = await startScriptedServer()
behind.always({ text: 'Hello.' })
afterAll(() => behind.close())
const document = await readDocument()
const problemsOf = validatorOf(document)
const operations = operationsOf(document)

async function readDocument() {
  const memory = await openMemory(':memory:')
  const { body } = await toAnswer(await createHandler(memory)(new Request(`${BASE}/openapi.json`)))
  await memory.close()
  return body
}

async function openFilled() {
  const memory = await openMemory(':memory:')
  const filled = await fillWorkspace(memory, 'vexillology')
  const handler = createHandler(memory, { upstreamUrl: `${behind.url}/v1` })
  const send = async (method: string, path: string, body?: unknown) =>
    toAnswer(
      await handler(
        new Request(BASE + path, {
          method,
          ...(body !== undefined && {
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }),
        }),
      ),
    )
  return { memory, filled, send }
}

test('the number of operations is plausible, and their names are unique', () => {
  const names = operations.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(60)
})

test('every reference in the OpenAPI document resolves to a valid schema', () => {
  const text = JSON.stringify(document)
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string)
  expect(names.filter((name) => !(name in document.components.schemas))).toEqual([])
  expect(Object.keys(document.components.schemas).filter((name) => !names.includes(name))).toEqual([])
  for (const schema of Object.values(document.components.schemas)) problemsOf(schema as object, null)
})

test('all operations report errors in the same shape', () => {
  for (const { operation } of operations) {
    const shape = operation.responses['default']?.content?.['application/json']?.schema
    expect(shape).toEqual({ $ref: '#/components/schemas/Failure' })
  }
})

function expectDescribed({ responses }: Operation, answer: Answer): void {
  // Where there is another answer, events tell progress to those who ask for it.
  const isEvents = (one: string) => Object.keys(responses[one]?.content ?? {}).join() === 'text/event-stream'
  const successes = Object.keys(responses).filter((one) => one !== 'default')
  const status = successes.find((one) => !isEvents(one)) ?? successes[0] ?? ''
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([Number(status), expect.anything()])
  const content = responses[status]?.content
  if (content === undefined) {
    expect(answer.text).toBe('')
    return
  }
  const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
  expect(Object.keys(content)).toContain(type)
  const schema = content[type]?.schema ?? {}
  // An export is a file with any content.
  if (type !== 'application/json' || schema['type'] === 'string') return
  expect(problemsOf(schema, answer.body)).toEqual([])
  expect(undescribedFields(document, schema, answer.body)).toEqual([])
}

describe('responses match the OpenAPI document:', () => {
  test.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_name, { method, path, operation }) => {
      const { memory, filled, send } = await openFilled()
      const sample = toSamples(filled)[operation.operationId] ?? {}
      if (operation.requestBody?.required === true) expect(sample.body, 'a sample is missing').toBeDefined()
      const bodySchema = operation.requestBody?.content['application/json']?.schema
      if (bodySchema !== undefined) expect(problemsOf(bodySchema, sample.body ?? {})).toEqual([])

      const answer = await send(method, fillPath(path, toParams(filled)) + (sample.query ?? ''), sample.body)

      expectDescribed(operation, answer)
      await memory.close()
    },
  )
})

describe('a missing object is 404, never an empty success:', () => {
  const withParams = operations.filter(({ path }) => path.includes('{'))
  /** These make what is missing, or look at something that need not be there. */
  const MAKING = new Set([
    'recordMessages',
    'makeContext',
    'chat',
    'loadPage',
    'savePage',
    'addQuery',
    'listQueries',
    'setPreference',
    'updateBlock',
    'forgetDocument',
  ])
  let opened: Awaited<ReturnType<typeof openFilled>>
  beforeAll(async () => {
    opened = await openFilled()
  })
  afterAll(() => opened.memory.close())

  test.each(withParams.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_name, { method, path, operation }) => {
      const { filled, send } = opened
      const nobody = `nobody-${operation.operationId}`
      const params = Object.fromEntries(Object.keys(toParams(filled)).map((name) => [name, nobody]))
      const sample = toSamples(filled)[operation.operationId] ?? {}
      const answer = await send(method, fillPath(path, params) + (sample.query ?? ''), sample.body)
      if (MAKING.has(operation.operationId)) expect(answer.status).toBeLessThan(300)
      else expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
    },
  )
})
