import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'

const { recollect, json, folder } = useCommandLine()
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('recollect-bench-'))

test('bench runs on a temporary memory and leaves no files behind', () => {
  const before = leftovers()
  const { measured, messages, node } = json('bench', '--messages', '200')
  expect([messages, node]).toEqual([200, process.version])
  expect(measured.map(({ what }: { what: string }) => what)).toEqual([
    'record',
    'search',
    'recall',
    'context',
  ])
  for (const { p50Ms, p95Ms, calls } of measured) {
    expect(p50Ms).toBeGreaterThan(0)
    expect(p95Ms).toBeGreaterThanOrEqual(p50Ms)
    expect(calls).toBe(100)
  }
  expect(readdirSync(folder())).toEqual([])
  expect(leftovers().filter((name) => !before.includes(name))).toEqual([])
})

test('bench prints a table, and rejects invalid options', () => {
  const { out } = recollect(['bench', '--messages', '200'])
  expect(out).toMatch(/200 synthetic messages, no model/)
  expect(out).toMatch(/record +\d+\.\d+ ms +\d+\.\d+ ms +100/)
  expect(recollect(['bench', '--messages', 'many'])).toMatchObject({ code: 2 })
})
