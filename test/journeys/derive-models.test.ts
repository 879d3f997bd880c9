import { describe, expect, test } from 'vitest'
import { type NewMessage, openMemory } from '../../src/index.ts'
import { scriptedEmbedder, scriptedModel, startScriptedServer } from '../../src/model/scripted/testing.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { askPlain } from '../support/sqlite-file.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const say = (index: number): NewMessage => ({
  id: `m${index}`,
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `On day ${index} we decided to visit the museum of tiles in Lisbon at ${9 + (index % 8)} o'clock.`,
})
const talk = (count: number, from = 0) => Array.from({ length: count }, (_, index) => say(from + index))
const answer = (summary: string) => JSON.stringify({ summary, keyTopics: ['museum of tiles'], facts: [] })
type Line = string | Error

/** A model that says its lines when it is asked for summaries, and has no facts to tell. */
function summarizer(...lines: readonly Line[]) {
  const asked: string[] = []
  const say = (line: Line | undefined): string => {
    if (typeof line === 'string') return line
    throw line ?? new Error('the script is empty')
  }
  const model = scriptedModel([
    ({ messages }) => {
      const request = JSON.stringify(messages)
      if (!request.includes('You condense conversations')) return '{"facts":[]}'
      asked.push(request)
      return say(lines[Math.min(asked.length, lines.length) - 1])
    },
  ])
  return { model, asked }
}

/** No waits between tries. */
const AT_ONCE = withTuning(
  { models: { retries: 0 } },
  { jobs: { maxAttempts: 3, firstWaitMs: 0, maxWaitMs: 0 } },
)

describe('the rolling summary', () => {
  test('is extracted from the messages without a model', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('trip')
    await chat.record(talk(11))
    await memory.whenDerived()
    expect(await chat.rollingSummary()).toBeUndefined()
    await chat.record(talk(1, 11))
    await memory.whenDerived()
    const summary = await chat.rollingSummary()
    expect(summary).toMatchObject({ through: 7, madeBy: 'summaries/1' })
    expect(summary?.text).toContain('museum of tiles')
    expect(summary?.messageIds.length).toBeGreaterThan(0)
    expect(summary?.tokens).toBeLessThanOrEqual(400)
  })

  test('is written by the model from its last summary and the new turns', async () => {
    const { model, asked } = summarizer(answer('They plan a visit.'), answer('They plan two visits.'))
    const memory = await openTemporary({ languageModel: model })
    const chat = memory.conversation('trip')
    await chat.record(talk(12))
    await memory.whenDerived()
    expect(await chat.rollingSummary()).toMatchObject({
      text: 'They plan a visit.',
      keyTopics: ['museum of tiles'],
      through: 7,
      madeBy: 'scripted',
    })
    await chat.record(talk(12, 12))
    await memory.whenDerived()
    expect(await chat.rollingSummary()).toMatchObject({ text: 'They plan two visits.', through: 19 })
    expect(asked[1]).toContain('They plan a visit.')
    expect(asked[1]).toContain('On day 7')
    expect(asked[1]).not.toContain('On day 6 ')
    expect((await memory.jobs.list()).items).toEqual([])
  })

  test.each([
    ['fails', new Error('no connection')],
    ['writes no JSON', 'Here is your summary: great talk!'],
    ['writes too much', answer('word '.repeat(900))],
    ['is talked into something else', '{"ok": true}'],
  ])('stays the built-in one when the model %s, and the failure is to be seen', async (_what, reply) => {
    const { model } = summarizer(reply)
    const memory = await openTemporary({ ...AT_ONCE, languageModel: model })
    const chat = memory.conversation('trip')
    await chat.record(talk(12))
    await memory.whenDerived()
    expect(await chat.rollingSummary()).toMatchObject({ madeBy: 'summaries/1', through: 7 })
    const dead = (await memory.jobs.list({ state: 'dead' })).items
    const job = dead.find(({ kind }) => kind === 'summary')
    expect(job).toMatchObject({ kind: 'summary', conversation: 'trip', failures: 3 })
    expect(job?.error).toMatch(/scripted/)
    expect(
      (await memory.maintenance.check()).some(({ problem }) => problem?.includes('failed too often')),
    ).toBe(true)
  })

  test('is written by the model once it is available again', async () => {
    const down = new Error('down')
    const { model } = summarizer(down, down, down, answer('Back again.'))
    const memory = await openTemporary({ ...AT_ONCE, languageModel: model })
    const chat = memory.conversation('trip')
    await chat.record(talk(12))
    await memory.whenDerived()
    expect(await memory.jobs.retry()).toBe(1)
    await memory.whenDerived()
    expect(await chat.rollingSummary()).toMatchObject({ text: 'Back again.', madeBy: 'scripted' })
    expect((await memory.jobs.list()).items).toEqual([])
  })

  test('skips jobs that a later one covers', async () => {
    const path = temporaryPath()
    const { model: down } = summarizer(new Error('down'))
    const options = withTuning({ models: { retries: 0 } }, { jobs: { firstWaitMs: 3_600_000 } })
    const first = await openMemory(path, { ...options, languageModel: down })
    await first.conversation('trip').record(talk(40))
    await first.close()
    const { model, asked } = summarizer(answer('All of it.'))
    const later = () => new Date(Date.now() + 10 * 3_600_000)
    const second = await openMemory(path, { ...options, languageModel: model, clock: later })
    await second.whenDerived()
    expect(await second.conversation('trip').rollingSummary()).toMatchObject({ text: 'All of it.' })
    expect(asked).toHaveLength(1)
    expect((await second.jobs.list()).items).toEqual([])
    await second.close()
  })
})

describe('facts', () => {
  test('found by a model are added to those found by patterns; invented ones are dropped', async () => {
    const fact = (turn: number, value: string) => ({
      turn,
      action: 'state',
      subject: 'user',
      attribute: 'hobby',
      value,
      kind: 'fact',
      confidence: 0.8,
    })
    const reply = JSON.stringify({ facts: [fact(1, 'fado'), fact(1, 'skydiving')] })
    const model = scriptedModel([
      ({ messages }) => (JSON.stringify(messages).includes('You condense') ? answer('A talk.') : reply),
    ])
    const memory = await openTemporary({ languageModel: model })
    const chat = memory.conversation('trip')
    await chat.record({ role: 'user', content: 'Singing fado every Friday keeps me going. I am vegetarian.' })
    await chat.record(talk(12))
    await memory.whenDerived()
    const facts = await memory.facts.list().toArray()
    const fado = facts.find(({ value }) => value === 'fado')
    expect(await memory.facts.get(fado?.id ?? '')).toMatchObject({
      attribute: 'hobby',
      history: [{ type: 'stated', madeBy: 'scripted' }],
    })
    expect(facts.map(({ value }) => value)).toContain('vegetarian')
    expect(JSON.stringify(facts)).not.toContain('skydiving')
  })
})

describe('a requested summary', () => {
  test('is written by the model over HTTP, and says so', async () => {
    const server = await startScriptedServer({ text: answer('A short talk.') })
    const memory = await openTemporary({ models: { chat: { url: server.url, model: 'tiny' } } })
    const chat = memory.conversation('trip')
    await chat.record(talk(3))
    expect(await chat.summary()).toMatchObject({ text: 'A short talk.' })
    await server.close()
  })

  test('is written by built-in methods when the server is unreachable, with the reason', async () => {
    const server = await startScriptedServer()
    const { url } = server
    await server.close()
    const memory = await openTemporary({ models: { chat: { url, model: 'tiny' }, retries: 0 } })
    const chat = memory.conversation('trip')
    await chat.record(talk(3))
    const summary = await chat.summary()
    expect(summary).toMatchObject({ madeBy: 'summaries/1' })
    expect(summary.fallback).toContain('tiny')
    expect(summary.text).toContain('museum')
  })
})

describe('notes', () => {
  test('from tools keep short results until they expire', async () => {
    let now = new Date('2026-05-01T12:00:00Z')
    const memory = await openTemporary({ clock: () => now })
    const chat = memory.conversation('trip')
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: {} } as const
    const result = { type: 'tool-result', toolCallId: 'c1', toolName: 'weather' } as const
    await chat.record([
      { role: 'user', content: 'How is the weather?' },
      { role: 'assistant', content: [call, { ...call, toolCallId: 'c2' }] },
      {
        role: 'tool',
        content: [
          { ...result, output: 'Clear, 21 degrees.' },
          { ...result, toolCallId: 'c2', output: 'row '.repeat(500) },
        ],
      },
    ])
    expect(await chat.notes.list().toArray()).toMatchObject([
      { text: 'Clear, 21 degrees.', source: { tool: 'weather' } },
    ])
    expect(await memory.facts.list().toArray()).toEqual([])
    now = new Date('2026-07-01T12:00:00Z')
    expect(await chat.notes.list().toArray()).toEqual([])
  })

  test('from the web are created only for questions about recent events', async () => {
    const asked: string[] = []
    const webSearch = {
      name: 'web',
      search: async (question: string) => {
        asked.push(question)
        return [1, 2, 3, 4].map((n) => ({
          title: `T${n}`,
          url: `https://example.org/${n}`,
          excerpt: `Found ${n}.`,
        }))
      },
    }
    const memory = await openTemporary({ webSearch })
    const chat = memory.conversation('trip')
    await chat.record({ role: 'user', content: 'Hello' })
    expect(await chat.searchWeb('Tell me about my trip plans')).toEqual([])
    expect(asked).toEqual([])
    const notes = await chat.searchWeb('What is the weather in Lisbon today?')
    expect(notes.map(({ text, source }) => [text, source.url])).toEqual(
      [1, 2, 3].map((n) => [`Found ${n}.`, `https://example.org/${n}`]),
    )
    expect(await chat.notes.list().toArray()).toHaveLength(3)
    const without = await openTemporary()
    expect(await without.conversation('trip').searchWeb('What is the weather in Lisbon today?')).toEqual([])
  })
})

describe('a change of embedder', () => {
  const countVectors = (path: string, version: string) =>
    askPlain(
      path,
      `SELECT count(r.vector) FROM reading r JOIN derivation d ON d.number = r.derivation
       WHERE d.deriver = 'vectors' AND d.is_active = 1 AND d.version = '${version}'`,
    )

  test('is detected on opening: vectors are recomputed, and the old ones stay until then', async () => {
    const path = temporaryPath()
    const before = await openMemory(path)
    await before.conversation('trip').record(talk(20))
    await before.close()

    const one = scriptedEmbedder({ name: 'one' })
    const first = await openMemory(path, { embedder: one })
    await first.whenDerived()
    expect((await first.maintenance.deriveStatus()).vectors).toEqual({ embedder: 'one', behind: 0 })
    await first.conversation('trip').record(talk(2, 20))
    await first.whenDerived()
    await first.close()
    expect(countVectors(path, 'one')).toBe(22)

    const broken = scriptedEmbedder({ name: 'two', error: new Error('gone') })
    const second = await openMemory(path, { ...AT_ONCE, embedder: broken })
    await second.whenDerived()
    expect((await second.maintenance.deriveStatus()).vectors).toEqual({ embedder: 'two', behind: 1 })
    await second.close()
    expect(countVectors(path, 'one')).toBe(22)

    const third = await openMemory(path, { ...AT_ONCE, embedder: scriptedEmbedder({ name: 'two' }) })
    await third.jobs.retry()
    await third.whenDerived()
    expect((await third.maintenance.deriveStatus()).vectors).toEqual({ embedder: 'two', behind: 0 })
    await third.close()
    expect([countVectors(path, 'one'), countVectors(path, 'two')]).toEqual([0, 22])
  })
})

test('calls to models are counted, and jobs that no model can do are counted separately', async () => {
  const path = temporaryPath()
  const { model } = summarizer(new Error('no'))
  const options = withTuning({ models: { retries: 0 } }, { jobs: { firstWaitMs: 60_000 } })
  const first = await openMemory(path, { ...options, languageModel: model })
  await first.conversation('trip').record(talk(12))
  await first.whenDerived()
  expect(first.models.calls().find((one) => one.model === 'chat')).toEqual({
    model: 'chat',
    calls: 2,
    failures: 1,
    givenUp: 1,
  })
  expect(await first.maintenance.deriveStatus()).toMatchObject({ hasJobs: true, jobs: { waiting: 1 } })
  await first.close()
  const second = await openMemory(path)
  expect(await second.maintenance.deriveStatus()).toMatchObject({ hasJobs: false, jobs: { waiting: 1 } })
  await second.close()
})
