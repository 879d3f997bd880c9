// Thousands of requests generated from the schemas of the OpenAPI document, valid and broken: for any of them, the answer
// is never a bug of ours, never late, and every failure has the one shape.

import fc, { type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { createHandler } from '../../src/server/start-server.ts'
import { type ListedOperation, operationsOf } from '../support/api-document.ts'
import { effort } from '../support/effort.ts'
import { type Answer, toAnswer } from '../support/http-server.ts'
import { perhapsBroken, strangeText, valuesOf } from '../support/schema-arbitrary.ts'
import { type Filled, fillWorkspace, toParams, toSamples } from './route-samples.ts'

const ROUNDS = effort({ short: 14, long: 40 })
const REQUESTS = 400
const LATEST_MS = 5000
/** How long these take is for the disk to say. */
const ON_DISK: ReadonlySet<string> = new Set(['backUp'])
const BASE = 'http://localhost'

interface Asked {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type Schemas = Parameters<typeof valuesOf>[1]

/** Erasing everything again and again would leave nothing to ask about. */
const RARELY = new Set(['eraseWorkspace', 'backUp', 'startRebuild', 'checkStore'])

function requests(
  operations: readonly ListedOperation[],
  schemas: Schemas,
  filled: Filled,
): Arbitrary<Asked> {
  const one = (listed: ListedOperation): Arbitrary<Asked> =>
    fc
      .record({
        path: addresses(listed, filled),
        query: queries(listed, schemas, filled),
        body: bodies(listed, schemas, filled),
        headers: fc.oneof(
          { weight: 3, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: strangeHeaders },
        ),
      })
      .map(({ path, query, body, headers }) => ({
        operation: listed.operation.operationId,
        method: listed.method,
        path: path + query,
        headers: { ...(body !== undefined && { 'content-type': body.type }), ...headers },
        ...(body !== undefined && { body: body.text }),
      }))
  const weighed = operations.map((listed) => ({
    weight: RARELY.has(listed.operation.operationId) ? 1 : 8,
    arbitrary: one(listed),
  }))
  return fc.oneof(...weighed)
}

const strangeHeaders = fc.record(
  {
    'idempotency-key': fc.constantFrom('once', 'twice', 'a'.repeat(300)),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"x", "y"', ','),
    'x-request-id': fc.constantFrom('mine', 'a b', '"'),
    'x-recollect-workspace': fc.constantFrom('default', 'other', '%', '%20', 'a b'),
    'content-type': fc.constantFrom('application/json; charset=utf-8', 'text/plain', ''),
  },
  { requiredKeys: [] },
)

function addresses({ path }: ListedOperation, filled: Filled): Arbitrary<string> {
  const known = toParams(filled)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  // Whole workspaces are only erased under names that nobody has.
  const value = (name: string) =>
    name === 'workspace'
      ? strangeText
      : fc.oneof(
          { weight: 3, arbitrary: fc.constant(known[name] ?? '') },
          { weight: 1, arbitrary: strangeText },
        )
  return fc
    .record(Object.fromEntries(names.map((name) => [name, value(name)])))
    .map((params) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params[name] ?? '')))
}

/** Half characters cannot be put into an address. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed()) || 'empty'

function queries({ operation }: ListedOperation, schemas: Schemas, filled: Filled): Arbitrary<string> {
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const values = parameters.map(
    ({ name, schema }) => [name, perhapsBroken(valuesOf(schema, schemas))] as const,
  )
  const made = fc.record({ ...Object.fromEntries(values), strange: strangeText }, { requiredKeys: [] }).map(
    (fields) =>
      `?${Object.entries(fields)
        .map(
          ([name, value]) =>
            `${name}=${encode(typeof value === 'object' ? JSON.stringify(value) : String(value))}`,
        )
        .join('&')}`,
  )
  const good = toSamples(filled)[operation.operationId]?.query ?? ''
  // Without a limit it has no end.
  if (operation.operationId === 'followChanges') return fc.constant(good)
  return fc.oneof({ weight: 2, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: made })
}

interface Body {
  readonly type: string
  readonly text: string
}

function bodies(
  { operation }: ListedOperation,
  schemas: Schemas,
  filled: Filled,
): Arbitrary<Body | undefined> {
  const { content = {} } = operation.requestBody ?? {}
  const json = jsonBodies(operation.operationId, content['application/json']?.schema, { schemas, filled })
  const form = content['multipart/form-data']?.schema
  if (json === undefined) return fc.constant(undefined)
  const asJson = json.map((text) => ({ type: 'application/json', text }))
  return form === undefined ? asJson : fc.oneof(asJson, forms(form, schemas))
}

/** Forms with the fields of the schema, whole, cut off, or with something strange in them. */
function forms(schema: object, schemas: Schemas): Arbitrary<Body> {
  const head = fc.oneof(strangeText, fc.constantFrom('a.md', 'b.json', 'c.pdf', '../d.docx', 'e"; x="'))
  const part = ([name, value]: readonly [string, unknown], filename: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"${name === 'file' ? `; filename="${filename}"` : ''}\r\n\r\n${String(value)}\r\n`
  const whole = fc.tuple(valuesOf(schema as never, schemas), head).map(
    ([fields, filename]) =>
      `${Object.entries(fields as object)
        .map((field) => part(field, filename))
        .join('')}--x--\r\n`,
  )
  const cut = fc.tuple(whole, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)))
  return fc
    .oneof({ weight: 4, arbitrary: whole }, { weight: 1, arbitrary: cut })
    .map((text) => ({ type: 'multipart/form-data; boundary=x', text }))
}

interface Known {
  readonly schemas: Schemas
  readonly filled: Filled
}

function jsonBodies(
  operation: string,
  schema: Readonly<Record<string, unknown>> | undefined,
  { schemas, filled }: Known,
): Arbitrary<string> | undefined {
  if (schema === undefined) return undefined
  const good = toSamples(filled)[operation]?.body ?? {}
  const values = fc.oneof(fc.constant(good), valuesOf(schema, schemas))
  const json = perhapsBroken(values).map((value) => JSON.stringify(value) ?? '')
  const cut = fc.tuple(json, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)))
  const deep = fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth))
  return fc.oneof(
    { weight: 20, arbitrary: json },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: strangeText },
  )
}

const asked = new Map<string, number>()
const succeeded = new Set<string>()
let everyOperation: readonly string[] = []

/** Requests that erase leave less and less to ask about: every few hundred there is a new memory. */
test.each(Array.from({ length: ROUNDS }, (_, i) => i))(
  `round %i: ${REQUESTS} requests, whole and broken, are all answered in time and without a bug`,
  async () => {
    const memory = await openMemory(':memory:')
    const bugs: string[] = []
    const handler = createHandler(memory, { logLevel: 'error', logTo: { write: (line) => bugs.push(line) } })
    const filled = await fillWorkspace(memory, 'fuzz')
    const { body: document } = await toAnswer(await handler(new Request(`${BASE}/openapi.json`)))
    const arbitrary = requests(operationsOf(document), document.components.schemas, filled)
    everyOperation = operationsOf(document).map(({ operation }) => operation.operationId)
    const counts = new Map<number, number>()

    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ operation, method, path, headers, body }) => {
        const started = performance.now()
        const request = new Request(BASE + path, { method, headers, ...(body !== undefined && { body }) })
        const answer = await toAnswer(await handler(request))
        if (!ON_DISK.has(operation)) expect(performance.now() - started).toBeLessThan(LATEST_MS)
        expect([answer.status < 500, bugs]).toEqual([true, []])
        if (answer.status >= 400) expect(answer.body).toEqual(failureOf(answer))
        asked.set(operation, (asked.get(operation) ?? 0) + 1)
        if (answer.status < 300) succeeded.add(operation)
        const kind = Math.floor(answer.status / 100)
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    )
    // Otherwise nothing was tried but the front door.
    expect(counts.get(2)).toBeGreaterThan(REQUESTS / 5)
    expect(counts.get(4)).toBeGreaterThan(REQUESTS / 5)
    await memory.whenDerived()
    expect((await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
    await memory.close()
  },
)

test('all operations were called thousands of times, and nearly all succeeded at least once', () => {
  const counts = everyOperation.map((name) => asked.get(name) ?? 0)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(5000)
  expect(everyOperation.filter((name) => !asked.has(name))).toEqual([])
  expect(succeeded.size).toBeGreaterThan(everyOperation.length * 0.9)
})

const failureOf = ({ headers }: Answer) => ({
  error: expect.objectContaining({
    code: expect.any(String),
    message: expect.any(String),
    requestId: headers.get('x-request-id'),
  }),
})
