// Several processes use one file at the same time without errors.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Memory, type Message, openMemory } from '../../src/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { fingerprint } from './chatter.mjs'
import { Child } from './child-process.ts'

const PROCESSES = ['a', 'b', 'c', 'd']
const MESSAGES_EACH = 150
const NEW_FILES = 20
const REPEATS = 30

/** Time for all processes to read their job before they start. */
const HEAD_START_MS = 20

test('four processes append to one conversation at once: nothing is lost, duplicated or out of order', async () => {
  const path = join(temporaryFolder(), 'memory.db')
  const colleagues = await startColleagues()
  await workAtOnce(colleagues, { path, job: 'append', count: MESSAGES_EACH })
  await inMemory(path, async (memory) => {
    const messages = await readShared(memory)
    expectGapless(messages)
    for (const name of PROCESSES) expect(ordersOf(name, messages)).toEqual(upTo(MESSAGES_EACH))
    expect(messages).toHaveLength(PROCESSES.length * MESSAGES_EACH)
    expect(countTurns(messages), 'they did not write at the same time').toBeGreaterThan(PROCESSES.length)
  })
})

test('four processes create the same file at once, and each can write to it', async () => {
  const folder = temporaryFolder()
  const colleagues = await startColleagues()
  for (let i = 0; i < NEW_FILES; i++) {
    const path = join(folder, `${i}.db`)
    await workAtOnce(colleagues, { path, job: 'append', count: 3 })
    await inMemory(path, async (memory) => {
      const messages = await readShared(memory)
      expectGapless(messages)
      for (const name of PROCESSES) expect(ordersOf(name, messages)).toEqual([1, 2, 3])
    })
  }
})

test('messages that four processes write with the same id or key exist once, and each process gets their positions', async () => {
  const path = join(temporaryFolder(), 'memory.db')
  const colleagues = await startColleagues()
  const [answer, ...others] = await workAtOnce(colleagues, { path, job: 'repeat', count: REPEATS })
  for (const other of others) expect(other).toEqual(answer)
  await inMemory(path, async (memory) => {
    const messages = await readShared(memory)
    expect(answer).toEqual(messages.map(({ id, position }) => [id, position]))
    expect(messages).toHaveLength(REPEATS * 3)
  })
})

async function startColleagues(): Promise<Child[]> {
  const colleagues = PROCESSES.map(() => new Child('colleague.mjs'))
  await Promise.all(colleagues.map((child) => child.next('ready')))
  return colleagues
}

/** Rejects with the output of a process if one of them fails. */
async function workAtOnce(colleagues: readonly Child[], job: object): Promise<unknown[]> {
  const moment = Date.now() + HEAD_START_MS
  for (const [i, child] of colleagues.entries()) child.tell({ ...job, moment, name: PROCESSES[i], seed: i })
  const answers = await Promise.all(colleagues.map((child) => child.next('done')))
  return answers.map((line) => JSON.parse(line.slice('done '.length)))
}

/** Also checks the file for damage. */
async function inMemory(path: string, look: (memory: Memory) => Promise<void>): Promise<void> {
  const memory = await openMemory(path)
  try {
    expect((await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
    await look(memory)
  } finally {
    await memory.close()
  }
}

async function readShared(memory: Memory): Promise<Message[]> {
  const messages: Message[] = []
  for await (const message of memory.conversation('shared').messages.list()) messages.push(message)
  return messages
}

function expectGapless(messages: readonly Message[]): void {
  expect(messages.map(({ position }) => position)).toEqual([...messages.keys()])
  expect(messages.filter((message) => message.metadata?.['fingerprint'] !== fingerprint(message))).toEqual([])
}

/** The numbers that a writer gave to its messages, in the order of the conversation. */
function ordersOf(name: string, messages: readonly Message[]): number[] {
  return messages.filter(({ id }) => id.startsWith(`${name}.`)).map(({ id }) => Number(id.split('.')[1]))
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

/** How often the writer changes from one message to the next. */
function countTurns(messages: readonly Message[]): number {
  const names = messages.map(({ id }) => id.split('.')[0])
  return names.filter((name, i) => name !== names[i - 1]).length
}
