// Retention of a running server: nothing unless it is configured, and then at the start and once a day.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openMemory } from '../../src/index.ts'
import type { RetentionOptions } from '../../src/server/start-server.ts'
import { serveTemporary } from '../support/http-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 4, 1)

afterEach(() => vi.useRealTimers())

/** The clock of memory and server; the server looks every 50 ms of real time. */
function stopTime() {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  const lines: string[] = []
  const log = { logLevel: 'info' as const, logTo: { write: (line: string) => void lines.push(line) } }
  const optionsWith = (retention: RetentionOptions) => ({ ...log, retention: { everyMs: 50, ...retention } })
  return { lines, optionsWith, goTo: (days: number) => vi.setSystemTime(START + days * DAY_MS) }
}

type Served = Awaited<ReturnType<typeof serveTemporary>>

async function fill({ memory }: Pick<Served, 'memory'>): Promise<void> {
  for (const workspace of [memory, memory.workspace('ben')]) {
    await workspace.conversation('old').record({ role: 'user', content: 'Hello' })
    await workspace.conversation('pinned').record({ role: 'user', content: 'Hello' })
    await workspace.conversation('pinned').update({ isPinned: true })
    await workspace.page('p').queries.add({ id: 'q', query: 'How many?' })
    await workspace.page('p').queries.add({ id: 'flagged', query: 'How much?', important: true })
  }
}

const conversationsOf = async ({ memory }: Served, workspace: string) =>
  (await memory.workspace(workspace).conversations.list().toArray()).map(({ id }) => id).toSorted()
const queriesOf = async ({ memory }: Served, workspace: string) =>
  (await memory.workspace(workspace).page('p').queries.list().toArray()).map(({ id }) => id).toSorted()
const healthOf = async ({ ask }: Served) => (await ask('GET', '/api/health')).body

test('unless it is configured, nothing is archived or erased', async () => {
  const { optionsWith, goTo } = stopTime()
  const served = await serveTemporary(optionsWith({}))
  await fill(served)
  goTo(400)
  await new Promise((wake) => setTimeout(wake, 200))
  expect(await conversationsOf(served, 'ben')).toEqual(['old', 'pinned'])
  expect(await queriesOf(served, 'ben')).toEqual(['flagged', 'q'])
  expect(await healthOf(served)).not.toHaveProperty('retention')
})

test('what was not used is archived, and old queries are erased, in every workspace', async () => {
  const { optionsWith, lines, goTo } = stopTime()
  const served = await serveTemporary(optionsWith({ unusedDays: 30, queryDays: 60 }))
  await fill(served)
  goTo(29)
  await expect.poll(() => healthOf(served)).toMatchObject({ retention: { conversations: 0, queries: 0 } })
  expect(await conversationsOf(served, 'ben')).toEqual(['old', 'pinned'])
  goTo(31)
  await expect.poll(() => conversationsOf(served, 'ben')).toEqual(['pinned'])
  await expect.poll(() => conversationsOf(served, 'default')).toEqual(['pinned'])
  expect(await queriesOf(served, 'ben')).toEqual(['flagged', 'q'])
  goTo(61)
  await expect.poll(() => queriesOf(served, 'default')).toEqual(['flagged'])
  await expect.poll(() => queriesOf(served, 'ben')).toEqual(['flagged'])
  expect(lines.join('')).toContain('retention: archived 2 conversations')
  // Archived, not erased.
  expect((await served.memory.conversation('old').get())?.messageCount).toBe(1)
})

test('a dry run reports the same and changes nothing', async () => {
  const { optionsWith, lines, goTo } = stopTime()
  const folder = join(temporaryFolder(), 'backups')
  const retention = {
    unusedDays: 30,
    queryDays: 30,
    backupFolder: folder,
    action: 'erase',
    dryRun: true,
  } as const
  const served = await serveTemporary(optionsWith(retention))
  await fill(served)
  goTo(31)
  await expect
    .poll(() => healthOf(served))
    .toMatchObject({ retention: { isDryRun: true, conversations: 2, queries: 2, failed: false } })
  expect(lines.join('')).toContain('retention: dry run, would have erased 2 conversations')
  expect(await conversationsOf(served, 'ben')).toEqual(['old', 'pinned'])
  expect(await queriesOf(served, 'ben')).toEqual(['flagged', 'q'])
  expect(() => readdirSync(folder)).toThrow('ENOENT')
})

test('the newest backups are kept, and no other file is touched', async () => {
  const { optionsWith, goTo } = stopTime()
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'mine.db'), 'mine')
  const served = await serveTemporary(optionsWith({ backupFolder: folder, backupsKept: 2 }))
  const backups = () => readdirSync(folder).toSorted()
  await expect.poll(backups).toEqual(['mine.db', 'recollect-2026-05-01T00-00-00Z.db'])
  await fill(served)
  for (const day of [2, 3, 4]) {
    goTo(day - 1)
    await expect.poll(backups).toContain(`recollect-2026-05-0${day}T00-00-00Z.db`)
  }
  await expect
    .poll(backups)
    .toEqual(['mine.db', 'recollect-2026-05-03T00-00-00Z.db', 'recollect-2026-05-04T00-00-00Z.db'])
  const copy = await openMemory(join(folder, 'recollect-2026-05-04T00-00-00Z.db'))
  expect((await copy.conversation('old').get())?.messageCount).toBe(1)
  await copy.close()
})

test('if the backup fails, nothing is erased, and health and log say so', async () => {
  const { optionsWith, lines, goTo } = stopTime()
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const retention = { unusedDays: 30, action: 'erase', backupFolder: file } as const
  const served = await serveTemporary(optionsWith(retention))
  await fill(served)
  goTo(31)
  await expect
    .poll(() => healthOf(served))
    .toMatchObject({ status: 'degraded', retention: { conversations: 0, failed: true } })
  expect(await conversationsOf(served, 'ben')).toEqual(['old', 'pinned'])
  expect(lines.join('')).toContain('EEXIST')
})

test('invalid settings are refused at the start', async () => {
  await expect(serveTemporary({ retention: { unusedDays: -1 } })).rejects.toThrow('retention.unusedDays')
  await expect(serveTemporary({ retention: { backupsKept: 0 } })).rejects.toThrow('retention.backupsKept')
})
