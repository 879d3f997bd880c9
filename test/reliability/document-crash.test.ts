// The process is killed while it adds, replaces and erases documents. Each acknowledged document is there, in the
// acknowledged version or in the one being written, with all of its chunks; none is there in part.

import { expect, test } from 'vitest'
import { type Document, type Memory, openMemory } from '../../src/index.ts'
import { effort } from '../support/effort.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { temporaryPath } from '../support/temporary-folder.ts'
import { Child } from './child-process.ts'

const ROUNDS = effort({ short: 4, long: 40 })

/** What a process acknowledged before it was killed. */
class Acknowledged {
  readonly versions = new Map<string, number>()
  readonly going = new Set<string>()

  hear(lines: readonly string[]): void {
    for (const line of lines) {
      const [said, id = '', version = '0'] = line.split(' ')
      if (said === 'added') this.versions.set(id, Number(version))
      if (said === 'going') this.going.add(id)
    }
  }
}

async function runAndKill(path: string, round: number, random: SeededRandom): Promise<readonly string[]> {
  const child = new Child('document-writer.mjs', { FILE: path, FROM: String(round * 1000) })
  for (let left = 3 + random.below(8); left > 0; left--) await child.next('')
  await new Promise((resolve) => setTimeout(resolve, random.below(60)))
  await child.kill()
  return child.lines
}

async function checkWhole(memory: Memory, { id, version, chunkCount }: Document): Promise<void> {
  const [word, last] = version === 1 ? [`old${id.slice(1)}`, 39] : [`new${id.slice(1)}`, 59]
  const chunks = (await memory.documents.chunks(id, { limit: 1000 })).items
  expect(chunks.length, id).toBe(chunkCount)
  expect(
    chunks.filter(({ text }) => !text.includes(word)),
    id,
  ).toEqual([])
  expect(await memory.documents.text(id)).toContain(`## ${word} ${last}`)
}

test('killed at any moment, documents are complete or absent', { timeout: 600_000 }, async () => {
  const path = temporaryPath()
  const random = new SeededRandom(5)
  const acknowledged = new Acknowledged()
  for (let round = 0; round < ROUNDS; round++) {
    acknowledged.hear(await runAndKill(path, round, random))
    const memory = await openMemory(path)
    expect((await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
    const { items } = await memory.documents.list({ limit: 1000 })
    for (const document of items) await checkWhole(memory, document)
    const there = new Map(items.map(({ id, version }) => [String(id), version]))
    for (const [id, version] of acknowledged.versions) {
      if (!acknowledged.going.has(id)) expect(there.get(id), id).toBeGreaterThanOrEqual(version)
    }
    await memory.close()
  }
  expect(acknowledged.versions.size).toBeGreaterThan(ROUNDS)
})
