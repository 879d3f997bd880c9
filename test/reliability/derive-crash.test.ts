// The process is killed between two steps of recording and deriving. Every acknowledged message is there, and what is
// derived afterwards is the same as without a kill.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { dumpDerived } from '../support/dump-derived.ts'
import { effort } from '../support/effort.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { STEPS_TALK } from './steps-talk.mjs'

const AT_ONCE = 4
/** Kills after every step, or after every third one. */
const STRIDE = effort({ short: 3, long: 1 })

interface Run {
  readonly said: readonly string[]
  readonly isKilled: boolean
}

async function runUntil(path: string, steps: number): Promise<Run> {
  const script = join(import.meta.dirname, 'step-dier.mjs')
  const child = spawn(process.execPath, [script, path, String(steps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  const [, signal] = await once(child, 'close')
  return { said: out.split('\n').filter(Boolean), isKilled: signal === 'SIGKILL' }
}

/** Completes the work of the killed process. */
async function finish(path: string, said: readonly string[]): Promise<unknown> {
  const memory = await openMemory(path)
  const chat = memory.conversation('chat')
  const kept = said.filter((line) => line.startsWith('kept'))
  const there = (await chat.messages.list().toArray()).map(({ id }) => id)
  expect(there).toEqual(expect.arrayContaining(kept.map((line) => line.split(' ')[1])))
  await memory.whenDerived()
  expect((await memory.maintenance.deriveStatus()).failures).toEqual([])
  await chat.record(STEPS_TALK)
  await memory.whenDerived()
  if (said.includes('renamed m0')) expect((await chat.topics.get('m0'))?.title).toBe('The trip')
  expect((await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
  await memory.close()
  return derivedWithoutModels(path)
}

/** Without what models produced, which depends on when they answered. */
function derivedWithoutModels(path: string): unknown {
  const dump = dumpDerived(path) as Record<string, { deriver?: string; made_by?: string }[]>
  const own = ({ deriver, made_by }: { deriver?: string; made_by?: string }) =>
    deriver === 'reading' || deriver === 'summaries' || made_by === 'reading/1' || made_by === 'summaries/1'
  return { derivations: dump['derivations']?.filter(own), items: dump['items']?.filter(own) }
}

test('killed between any two steps, nothing is lost or duplicated', {
  timeout: 600_000,
}, async () => {
  const folder = temporaryFolder()
  const whole = join(folder, 'whole.db')
  const undisturbed = await runUntil(whole, 0)
  expect(undisturbed.isKilled).toBe(false)
  expect(undisturbed.said.at(-1)).toMatch(/^done/)
  const expected = await finish(whole, undisturbed.said)
  let killed = 0
  for (let isOver = false; !isOver; ) {
    // Starting a process takes most of the time, so run a few in parallel.
    const steps = Array.from({ length: AT_ONCE }, (_, index) => 1 + (killed + index) * STRIDE)
    const runs = await Promise.all(steps.map((step) => runUntil(join(folder, `${step}.db`), step)))
    for (const [index, { said, isKilled }] of runs.entries()) {
      isOver ||= !isKilled
      if (isOver) break
      killed += 1
      const path = join(folder, `${steps[index]}.db`)
      expect(await finish(path, said), `killed after ${steps[index]} steps`).toEqual(expected)
    }
  }
  console.log(`killed after ${killed} different steps; every time the same was derived in the end`)
  expect(killed * STRIDE).toBeGreaterThan(30)
})
