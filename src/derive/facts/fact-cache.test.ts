import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effort } from '../../../test/support/effort.ts'
import { openWithStore } from '../../../test/support/open-with-store.ts'
import { readConversation } from '../../../test/support/read-conversation.ts'
import { conversationId } from '../../domain/ids.ts'
import type { Store } from '../../store/store.ts'
import { readFold } from './fact-cache.ts'

/** Records the queries that a store receives. */
function watch(store: Store): { readonly store: Store; readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    store: {
      ...store,
      derivedItems: (list) => {
        asked.push(list.after ? 'new items' : 'all items')
        return store.derivedItems(list)
      },
      edits: (list) => {
        asked.push('edits')
        return store.edits(list)
      },
    },
  }
}

test('unchanged data is not read again, and only new items are read', async () => {
  const opened = await openWithStore()
  const { workspaceId: workspace } = opened.memory
  const { store, asked } = watch(opened.store)
  await opened.say('one', '2026-01-10', 'I live in Porto.')
  await readFold(store, workspace)
  await readFold(store, workspace)
  expect(asked.splice(0)).toEqual(['all items', 'edits'])
  await opened.say('two', '2026-02-10', 'I moved to Lisbon.')
  expect((await readFold(store, workspace)).facts).toHaveLength(2)
  expect(asked.splice(0)).toEqual(['new items'])
  await opened.memory.preferences.update('theme', 'dark')
  await readFold(store, workspace)
  expect(asked.splice(0)).toEqual(['edits'])
})

test('dropped items are noticed', async () => {
  const opened = await openWithStore()
  const { workspaceId: workspace } = opened.memory
  const { store, asked } = watch(opened.store)
  await opened.say('one', '2026-01-10', 'I live in Porto.')
  await opened.say('two', '2026-02-10', 'I moved to Lisbon.')
  await readFold(store, workspace)
  asked.splice(0)
  await opened.memory.conversation('one').erase()
  expect((await readFold(store, workspace)).facts).toMatchObject([{ value: 'Lisbon' }])
  expect(asked).toEqual(['all items'])
})

test('a failed read does not block the next one', async () => {
  const { memory, store, say } = await openWithStore()
  await say('one', '2026-01-10', 'I live in Porto.')
  let isBroken = true
  const breaking: Store = {
    ...store,
    derivedItems: (list) => (isBroken ? Promise.reject(new Error('broken')) : store.derivedItems(list)),
  }
  await expect(readFold(breaking, memory.workspaceId)).rejects.toThrow('broken')
  isBroken = false
  expect((await readFold(breaking, memory.workspaceId)).facts).toHaveLength(1)
})

const SENTENCES = [
  'I live in Porto.',
  'I moved to Lisbon.',
  'I no longer live in Lisbon.',
  'I am vegetarian.',
  "I've lived in Oslo since 2019.",
  'I like jazz.',
]
const anyStep = fc.oneof(
  fc.record({
    type: fc.constant('say' as const),
    conversation: fc.constantFrom('one', 'two', 'three'),
    day: fc.integer({ min: 1, max: 28 }),
    sentence: fc.constantFrom(...SENTENCES),
  }),
  fc.record({
    type: fc.constantFrom('reject' as const, 'restore' as const, 'pin' as const),
    which: fc.nat(),
  }),
  fc.record({ type: fc.constant('add' as const), value: fc.constantFrom('Porto', 'Rome') }),
  fc.record({
    type: fc.constantFrom('erase' as const, 'read again' as const),
    conversation: fc.constantFrom('one', 'two'),
  }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer One> ? One : never

async function take(
  { memory, store, say }: Awaited<ReturnType<typeof openWithStore>>,
  step: Step,
): Promise<void> {
  const { facts, workspaceId: workspace } = memory
  if (step.type === 'say') {
    await say(step.conversation, `2026-03-${String(step.day).padStart(2, '0')}`, step.sentence)
    return
  }
  if (step.type === 'add') {
    await facts.add({ attribute: 'home', value: step.value })
    return
  }
  if ('which' in step) {
    const all = await facts.list({ includeClosed: true, includeRejected: true }).toArray()
    const fact = all[step.which % Math.max(1, all.length)]
    if (fact !== undefined) await facts[step.type === 'reject' ? 'delete' : step.type](fact.id)
    return
  }
  const key = { workspace, conversation: conversationId(step.conversation) }
  if ((await store.findConversation(key)) === undefined) return
  if (step.type === 'erase') await store.eraseConversations([key])
  else await readConversation(store, key)
}

test('cached facts always equal those of a reader without a cache', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
      const opened = await openWithStore()
      const { store, memory } = opened
      for (const step of steps) {
        await take(opened, step)
        const known = await readFold(store, memory.workspaceId)
        const fresh = await readFold({ ...store }, memory.workspaceId)
        expect(known.facts).toEqual(fresh.facts)
        expect(known.facts.map(({ id }) => known.find(id))).toEqual(
          fresh.facts.map(({ id }) => fresh.find(id)),
        )
      }
    }),
    { numRuns: effort({ short: 13, long: 40 }) },
  )
})
