// Equal versions mean equal results, whatever happened in between; and if nothing was removed, reading only newer
// items is enough.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anEdit,
  anItem,
  commit,
  itemsOf,
  itemsVersion,
  readingOf,
  saveEdit,
} from '../../../conformance/store/derived-samples.ts'
import { aKey, append, at, ELSEWHERE, HERE, many } from '../../../conformance/store/samples.ts'
import { effort } from '../../../test/support/effort.ts'
import { type MessageId, messageId } from '../../domain/ids.ts'
import type { StoredItem } from '../derivations.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const MESSAGES = 3
const keyOf = (i: number) => aKey(`c${i % 2}`, i < 2 ? HERE : ELSEWHERE)
const conversation = fc.nat(3)
const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })

const step = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      conversation,
      generation: fc.integer({ min: 1, max: 2 }),
      put: keys,
      drop: keys,
      isActive: fc.boolean(),
    }),
    weight: 8,
  },
  {
    arbitrary: fc.record({ do: fc.constant('edit' as const), conversation, replace: fc.boolean() }),
    weight: 4,
  },
  fc.record({ do: fc.constant('unedit' as const), id: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constantFrom('drop' as const, 'erase' as const, 'switch' as const), conversation }),
  fc.record({ do: fc.constant('erase message' as const), conversation, position: fc.nat(MESSAGES - 1) }),
  fc.record({ do: fc.constant('erase workspace' as const), conversation }),
  fc.record({ do: fc.constant('rebuild' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

let erased = 0

/** Conversations are created before each step, under their old ids. */
async function take(store: Store, step: Step): Promise<void> {
  for (const i of [0, 1, 2, 3]) {
    const key = keyOf(i)
    if ((await store.findConversation(key)) === undefined)
      await append(store, key, { messages: many(`${key.conversation}-`, MESSAGES) })
  }
  if (step.do === 'rebuild') return store.rebuild()
  if (step.do === 'unedit') {
    await store.deleteEdits(HERE, [step.id])
    return
  }
  const key = keyOf(step.conversation)
  if (step.do === 'commit') await takeCommit(store, step)
  else if (step.do === 'edit')
    await saveEdit(store, anEdit('a', { conversation: key.conversation, body: { n: erased++ } }), {
      workspace: key.workspace,
      replace: step.replace,
    })
  else if (step.do === 'drop') await store.dropDerivation(readingOf(key))
  else if (step.do === 'erase') await store.eraseConversations([key])
  else if (step.do === 'erase workspace') await store.eraseWorkspace(key.workspace)
  else if (step.do === 'erase message') await store.eraseMessage(key.workspace, idOf(step), at(9))
  else await store.changeConversation(key, { isMemoryOn: !(await store.findConversation(key))?.isMemoryOn })
}

const idOf = (step: Extract<Step, { do: 'erase message' }>): MessageId =>
  messageId(`${keyOf(step.conversation).conversation}-${step.position}`)

async function takeCommit(store: Store, step: Extract<Step, { do: 'commit' }>): Promise<void> {
  const reader = readingOf(keyOf(step.conversation))
  const revision = (await store.findDerivation(reader, step.generation))?.revision ?? 0
  await commit(store, reader, {
    generation: step.generation,
    revision,
    put: step.put.map((key) => anItem(key, { body: { n: erased++ } })),
    drop: step.drop.map((key) => anItem(key)),
    isActive: step.isActive,
  })
}

/** The cache of a process that reads from time to time. */
class Cache {
  #version: string | undefined
  readonly #items = new Map<string, StoredItem>()

  async read(store: Store): Promise<readonly StoredItem[]> {
    const version = await itemsVersion(store)
    if (version !== this.#version) await this.#renew(store, version)
    this.#version = version
    return [...this.#items.values()].toSorted((a, b) => a.number - b.number)
  }

  async #renew(store: Store, version: string): Promise<void> {
    const isGrown = beforeColon(version) === beforeColon(this.#version)
    if (!isGrown) this.#items.clear()
    const after = Math.max(0, ...[...this.#items.values()].map(({ number }) => number))
    for (const item of await itemsOf(store, { after }))
      this.#items.set(`${item.conversationId} ${item.key}`, item)
  }
}

const beforeColon = (version = '?'): string => version.slice(0, version.lastIndexOf(':'))

test('a version is never the same for two results, and shows how much must be read again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const store = await openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })
      const seen = new Map<string, unknown>()
      const cache = new Cache()
      for (const [i, next] of steps.entries()) {
        await take(store, next)
        const items = await itemsOf(store)
        const answers = { items: await itemsVersion(store), edits: await store.editsVersion(HERE) }
        for (const [name, version, answer] of [
          ['items', answers.items, items],
          ['edits', answers.edits, await store.edits({ workspace: HERE })],
        ] as const) {
          expect(answer, `${name} at version ${version}`).toEqual(seen.get(`${name} ${version}`) ?? answer)
          seen.set(`${name} ${version}`, answer)
        }
        if (i % 3 === 0) expect(await cache.read(store)).toEqual(items)
      }
      await store.close()
    }),
    { numRuns: effort({ short: 26, long: 80 }) },
  )
})
