import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Context,
  checkValidity,
  type Memory,
  openMemory,
  type Receipt,
  readableText,
  type Section,
} from '../../src/index.ts'
import { findTraces } from '../support/find-traces.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { readRaw } from '../support/sqlite-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const part = (receipt: Receipt, name: Section) => receipt.parts.find(({ section }) => section === name)
const textOf = ({ messages }: Context) => messages.map(({ content }) => readableText(content)).join('\n')

/** Two people who talk about a trip for a number of turns. */
const talk = (turns: number) =>
  Array.from({ length: turns }, (_, i) => [
    { role: 'user' as const, content: `On day ${i} we decided to see museum number ${i} in Lisbon.` },
    { role: 'assistant' as const, content: `Museum ${i} opens at ten and costs ${i} euros.` },
  ]).flat()

async function tellAll(memory: Memory): Promise<void> {
  await memory.conversation('about-me').record([
    { role: 'user', content: 'I am vegetarian and I live in Porto. Always answer in German.' },
    { role: 'assistant', content: 'Gut.' },
  ])
  await memory.preferences.update('units', 'metric')
}

test('facts of one conversation are in the context of the next, from its first turn on', async () => {
  const memory = await openTemporary()
  await tellAll(memory)
  const context = await memory.conversation('new').context('Where should we eat?', { budgetTokens: 800 })
  expect(checkValidity(context.messages)).toEqual([])
  expect(context.messages).toHaveLength(1)
  const text = textOf(context)
  expect(text).toMatch(/^<recollect-memory>\nHow the user wants to be answered:\n/)
  for (const known of [
    '- Always answer in German (',
    '- units: metric',
    '- diet: vegetarian',
    '- home: Porto',
  ])
    expect(text).toContain(known)
  expect(text).toMatch(/<\/recollect-memory>\n\nWhere should we eat\?$/)
  expect(part(context.receipt, 'memory')).toMatchObject({
    budgetTokens: expect.any(Number),
    items: [
      { kind: 'preference', reasons: [{ text: 'set by the application' }] },
      { kind: 'instruction' },
      { kind: 'fact' },
      { kind: 'fact' },
    ],
  })
})

test('memory can be turned off for a call, for a conversation, or with a zero budget', async () => {
  const memory = await openTemporary()
  await tellAll(memory)
  const plain = [{ role: 'user', content: 'Where should we eat?' }]
  const fresh = memory.conversation('new')
  expect((await fresh.context('Where should we eat?', { memory: false })).messages).toEqual(plain)
  expect((await fresh.context('Where should we eat?', { memoryTokens: 0 })).messages).toEqual(plain)
  await fresh.update({ isMemoryOn: false })
  expect((await fresh.context('Where should we eat?')).messages).toEqual(plain)
})

test('items already in the context are not repeated', async () => {
  const memory = await openTemporary()
  await tellAll(memory)
  const context = await memory.conversation('about-me').context('Where should we eat?')
  expect(textOf(context)).not.toContain('diet: vegetarian')
  expect(textOf(context)).toContain('units: metric')
})

test('a long conversation becomes its first turns, a summary and its last turns, stable for many turns', async () => {
  const memory = await openTemporary()
  const chat = memory.conversation('trip')
  await chat.record(talk(60))
  await memory.whenDerived()
  const ask = async (question: string) => {
    await chat.record({ role: 'user', content: question })
    const context = await chat.context({ budgetTokens: 1200 })
    await chat.record({ role: 'assistant', content: 'Yes.' })
    await memory.whenDerived()
    return context
  }
  const first = await ask('Hm?')
  expect(first.receipt.parts.map(({ section }) => section)).toEqual(['summary', 'head', 'tail', 'live'])
  expect(part(first.receipt, 'head')?.runs).toEqual([[0, 3]])
  const [summary] = part(first.receipt, 'summary')?.items ?? []
  const tailFrom = part(first.receipt, 'tail')?.runs[0]?.[0] ?? 0
  expect(Number(summary?.id)).toBeGreaterThan(4)
  // Nothing is lost between the summary and the tail.
  expect(Number(summary?.id)).toBeGreaterThanOrEqual(tailFrom)
  // A dozen messages later the summary is updated; the prompt stays.
  const breaks = []
  for (let turn = 0; turn < 8; turn++)
    breaks.push((await ask(`H${'m'.repeat(turn + 2)}?`)).receipt.sharedPrefix.brokenBecause)
  expect(breaks.filter((why) => why !== undefined)).toEqual([])
})

test('a note for one turn is placed next to the question, and only in that turn', async () => {
  const memory = await openTemporary()
  const chat = memory.conversation('trip')
  await chat.record(talk(1))
  await new Promise((resolve) => setTimeout(resolve, 5))
  await memory.notes.add({
    text: 'Taberna da Rua is closed on Mondays.',
    source: { title: 'Taberna', url: 'https://example.org' },
    conversationId: 'trip',
  })
  const context = await chat.context('Is the taberna open today?')
  expect(readableText(context.messages.at(-1)?.content ?? '')).toMatch(
    /^<recollect-memory>\n.*\nNotes:\n\[\d{4}-\d\d-\d\d, Taberna\] Taberna da Rua is closed on Mondays\.\n<\/recollect-memory>\n\nIs the taberna open today\?$/,
  )
  await chat.record([
    { role: 'user', content: 'Is the taberna open today?' },
    { role: 'assistant', content: 'No.' },
  ])
  const next = await chat.context('Hm?')
  expect(textOf(next)).not.toContain('closed on Mondays')
  expect(next.receipt.sharedPrefix).toMatchObject({ messages: 2, brokenAt: 'live' })
})

test('a stored receipt contains everything except texts, and nothing erased', async () => {
  const path = join(temporaryFolder(), 'memory.db')
  const memory = await openMemory(path)
  await memory
    .conversation('xyzzysecret')
    .record({ id: 'm1', role: 'user', content: 'I live in Xyzzyplugh.' })
  const chat = memory.conversation('new')
  const context = await chat.context('Where do I live?')
  expect(textOf(context)).toContain('Xyzzyplugh')
  const [kept] = (await chat.receipts.list()).items
  expect(kept).toEqual({
    ...context.receipt,
    parts: context.receipt.parts.map((one) => ({
      ...one,
      // It is found again through its message.
      ...(one.items && {
        items: one.items.map((item) => ({
          ...item,
          conversationId: 'xyzzysecret',
          reasons: expect.anything(),
        })),
      }),
    })),
  })
  await memory.conversation('xyzzysecret').erase()
  const [after] = (await chat.receipts.list()).items
  expect(part(after as Receipt, 'memory')?.items?.[0]).not.toHaveProperty('conversationId')
  await memory.close()
  expect(findTraces(readRaw(path), ['xyzzyplugh'])).toEqual([])
  expect(findTraces(readRaw(path), ['xyzzysecret'])).toEqual([])
})
