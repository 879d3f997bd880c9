// A memory whose older messages are compressed, and one in which that went wrong on the disk. Nothing at the
// front door may look different, but for what is lost.

import { expect, test } from 'vitest'
import { conversationId, DEFAULT_WORKSPACE } from '../../src/domain/ids.ts'
import { checkValidity, type Memory, type NewMessage, openMemory } from '../../src/index.ts'
import { collectText, inPieces, openTemporary } from '../support/open-temporary.ts'
import { openPlain, openStore } from '../support/sqlite-file.ts'

const clock = () => new Date('2026-05-01T12:00:00Z')
const key = { workspace: DEFAULT_WORKSPACE, conversation: conversationId('trip') }

const CALL: NewMessage = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Lisboa' } }],
}
const RESULT: NewMessage = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'weather', output: { sky: 'clear \u0000' } }],
}

/** Thirty turns with a tool call in the middle. */
async function openTalk(): Promise<Memory> {
  const memory = await openTemporary({ clock, derive: { when: 'never' } })
  const said = Array.from({ length: 30 }, (_, i): readonly NewMessage[] => [
    { role: 'user', content: `What shall we do on day ${i}?`, metadata: { day: i } },
    ...(i === 10 ? [CALL, RESULT] : []),
    { role: 'assistant', content: `On day ${i} we see sight${i}, and in the evening there is fado.` },
  ])
  await memory.conversation('trip').record(said.flat())
  return memory
}

async function compress(memory: Memory, count = 50): Promise<void> {
  const store = await openStore({ path: memory.location })
  const { messages } = await store.compress(
    key,
    Array.from({ length: count }, (_, i) => i),
  )
  expect(messages).toBe(count)
}

/** Wrong bytes in the middle of the only block. */
function damage(memory: Memory): void {
  const plain = openPlain(memory.location)
  const { body } = plain.prepare('SELECT body FROM block').get() as { body: Uint8Array }
  const wrong = Buffer.from(body)
  wrong.fill(0xa5, wrong.length >> 1, (wrong.length >> 1) + 20)
  plain.prepare('UPDATE block SET body = ?').run(wrong)
  plain.close()
}

test('export, context, search, summary and fork are identical after compressing', async () => {
  const memory = await openTalk()
  const look = async () => ({
    json: await collectText(memory.export()),
    markdown: await collectText(memory.export({ format: 'markdown' })),
    found: await memory.messages.search('fado'),
    summary: await memory.conversation('trip').summary(),
  })
  const contextOf = async () =>
    (await memory.conversation('trip').context('And then?', { budgetTokens: 2000 })).messages
  const before = await look()
  const context = await contextOf()
  await compress(memory)
  const { json, ...rest } = await look()
  expect(rest).toEqual({ markdown: before.markdown, found: before.found, summary: before.summary })
  const withoutReceipts = (text: string) => text.replace(/"receipts":\[[\s\S]*/, '')
  expect(withoutReceipts(json)).toBe(withoutReceipts(before.json))
  expect(await contextOf()).toEqual(context)
  const [, , third] = await memory.conversation('trip').messages.list().toArray()
  expect((await memory.conversation('trip').fork(third?.id ?? '')).messageCount).toBe(3)
  expect(await memory.statistics()).toMatchObject({ compressedMessages: 50, savedBytes: expect.any(Number) })
})

test('an export of compressed messages imports into another memory', async () => {
  const memory = await openTalk()
  await compress(memory)
  const target = await openMemory(':memory:', { clock })
  const exported = await collectText(memory.export())
  expect(await target.import(inPieces(exported))).toMatchObject({ messages: 62 })
  expect(await collectText(target.export())).toBe(exported)
  await target.close()
})

test('a memory with a damaged block still returns contexts, exports and readable messages', async () => {
  const memory = await openTalk()
  await compress(memory)
  damage(memory)
  const trip = memory.conversation('trip')
  const messages = await trip.messages.list().toArray()
  const lost = messages.filter(({ isDamaged }) => isDamaged)
  expect(lost.length).toBeGreaterThan(3)
  expect(lost.length).toBeLessThan(40)

  const { messages: sent, receipt } = await trip.context('And then?', { budgetTokens: 5000 })
  expect(checkValidity(sent)).toEqual([])
  expect(JSON.stringify(sent)).toContain('sight29')
  const reasons = receipt.omitted.filter(({ reason }) => reason.includes('damaged'))
  expect(reasons.flatMap(({ runs }) => runs)).toEqual(lost.map(({ position }) => [position, position]))

  const markdown = await collectText(memory.export({ format: 'markdown' }))
  expect(markdown.split('*(damaged)*')).toHaveLength(lost.length + 1)
  expect((await memory.messages.search('sight29')).items).toHaveLength(1)
  expect((await trip.summary()).text).not.toBe('')
  const problems = (await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)
  expect(problems).toHaveLength(1)
  expect(problems[0]?.problem).toContain(`${50 - lost.length} of its 50 messages can still be read`)
})

test('damaged messages keep their position in export and import, and importing over a backup loses nothing', async () => {
  const memory = await openTalk()
  const intact = await collectText(memory.export())
  await compress(memory)
  damage(memory)
  const exported = await collectText(memory.export())
  const lost = (await memory.conversation('trip').messages.list().toArray()).filter(
    ({ isDamaged }) => isDamaged,
  )

  const fresh = await openMemory(':memory:', { clock })
  await fresh.import(inPieces(exported))
  const places = async (from: Memory) =>
    (await from.conversation('trip').messages.list().toArray()).map(({ id, role, isDamaged }) => [
      id,
      role,
      isDamaged,
    ])
  expect(await places(fresh)).toEqual(await places(memory))
  await fresh.close()

  const restored = await openMemory(':memory:', { clock, derive: { when: 'never' } })
  await restored.import(inPieces(intact))
  expect(await restored.import(inPieces(exported))).toMatchObject({
    conversations: 0,
    messages: 0,
    edits: 0,
    pages: 0,
    queries: 0,
    documents: 0,
    known: 62,
    problems: [],
  })
  expect(await collectText(restored.export())).toBe(intact)
  expect(lost.length).toBeGreaterThan(0)
  await restored.close()
})
