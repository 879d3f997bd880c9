import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anEdit, saveEdit, sourcesOf } from '../../../conformance/store/derived-samples.ts'
import {
  aKey,
  aMessage,
  append,
  at,
  findProblems,
  fork,
  HERE,
  many,
} from '../../../conformance/store/samples.ts'
import { effort } from '../../../test/support/effort.ts'
import { collectText, inPieces } from '../../../test/support/open-temporary.ts'
import { type MessageId, workspaceId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { resolveConfig } from '../../options/resolve-options.ts'
import type { Edit } from '../../store/edits.ts'
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { exportText } from '../export/export.ts'
import type { WorkspaceDeps } from '../record.ts'
import { importExport } from './import-export.ts'

const { limits } = resolveConfig()
const openStore = () => openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })

async function openStores(): Promise<[Store, Store]> {
  const stores: [Store, Store] = [await openStore(), await openStore()]
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  return stores
}

const recorderOf = (store: Store): WorkspaceDeps => ({
  store,
  workspace: HERE,
  limits,
  rag: resolveConfig().rag,
  loadTokenizer: async () => ({ name: 'sample', count: (text) => text.length }),
  now: () => at(500),
})

const writeOut = (store: Store, conversationId?: string) =>
  collectText(
    exportText(
      store,
      { workspace: HERE, now: at(400) },
      conversationId === undefined ? {} : { conversationId },
    ),
  )

const bringIn = (store: Store, text: string, size = 1000) =>
  importExport(recorderOf(store), inPieces(text, size))

/** Ids are made by each store. */
const editsOf = async (store: Store): Promise<readonly Omit<Edit, 'id'>[]> =>
  (await store.edits({ workspace: HERE })).map(({ id: _, ...edit }) => edit)

const json: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)))
const time = fc.date({ min: new Date(0), max: new Date('2030-01-01'), noInvalidDate: true })

const message = fc.record({ step: fc.constant('message' as const), conversation: fc.nat(2) })
const editing = fc.record({
  step: fc.constant('edit' as const),
  conversation: fc.option(fc.nat(2)),
  kind: fc.constantFrom('note', 'rename', 'reject a fact'),
  key: fc.constantFrom('a', 'b c', '"quoted" 😀'),
  body: fc.oneof(json, fc.constant<JsonObject>({ same: true })),
  createdAt: fc.oneof(time, fc.constant(at(6))),
  expiresAt: fc.option(time),
  sources: fc.array(fc.nat(9), { maxLength: 3 }),
  replace: fc.boolean(),
})
const erasing = fc.record({ step: fc.constant('erase' as const), message: fc.nat(9) })
const forking = fc.record({ step: fc.constant('fork' as const), conversation: fc.nat(2) })
const steps = fc.array(
  fc.oneof({ arbitrary: message, weight: 4 }, { arbitrary: editing, weight: 5 }, erasing, forking),
  { maxLength: 25, size: 'max' },
)
type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never

/** Conversations that grow, with edits in between; what a step refers to may not be there, and is then left out. */
class Author {
  readonly #store: Store
  readonly #messages: MessageId[] = []
  readonly #begun = new Set<number>()
  #forks = 0

  constructor(store: Store) {
    this.#store = store
  }

  async take(step: Step): Promise<void> {
    const store = this.#store
    if (step.step === 'message') {
      const { messages } = await append(store, aKey(`c${step.conversation}`), {
        messages: [aMessage(`m${this.#messages.length}`)],
      })
      this.#begun.add(step.conversation)
      this.#messages.push(...messages.map(({ id }) => id))
    } else if (step.step === 'edit') await this.#edit(step)
    else if (step.step === 'erase') {
      const id = this.#messages[step.message]
      if (id !== undefined) await store.eraseMessage(HERE, id, at(300))
    } else if (this.#begun.has(step.conversation)) {
      await fork(store, aKey(`c${step.conversation}`), { at: 0, into: `fork${this.#forks++}` })
    }
  }

  async #edit(step: Extract<Step, { step: 'edit' }>): Promise<void> {
    const { conversation, createdAt, expiresAt, sources, replace, kind, key, body } = step
    if (conversation !== null && !this.#begun.has(conversation)) return
    const named = sources.flatMap((i) => this.#messages[i] ?? [])
    const messages = await Promise.all(named.map((id) => this.#store.findMessage(HERE, id)))
    const standing = messages.flatMap((found) => (found?.erasedAt === undefined ? (found?.id ?? []) : []))
    const edit = {
      kind,
      key,
      body,
      sources: standing,
      ...(conversation !== null && { conversation: aKey(`c${conversation}`).conversation }),
      ...(expiresAt !== null && { expiresAt }),
    }
    await this.#store.saveEdit(HERE, edit, { now: createdAt, replace })
  }
}

test('edits come back from an export as they were, in their order and place, and a second time adds none', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3000 }), async (taken, size) => {
      const [source, target] = [await openStore(), await openStore()]
      const author = new Author(source)
      for (const step of taken) await author.take(step)
      const text = await writeOut(source)
      const imported = await bringIn(target, text, size)
      expect(await editsOf(target)).toEqual(await editsOf(source))
      expect(imported.edits).toBe((await editsOf(source)).length)
      expect(await bringIn(target, text)).toMatchObject({ conversations: 0, messages: 0, edits: 0 })
      expect(await editsOf(target)).toEqual(await editsOf(source))
      expect(JSON.parse(await writeOut(target)).edits).toEqual(JSON.parse(text).edits)
      expect(await findProblems(target)).toEqual([])
      await Promise.all([source.close(), target.close()])
    }),
    { numRuns: effort({ short: 26, long: 80 }) },
  )
})

describe('an export with edits', () => {
  const inTrip = { conversation: aKey('trip').conversation }

  async function filled(): Promise<[Store, Store]> {
    const [source, target] = await openStores()
    await append(source, aKey('trip'), { messages: many('m', 3) })
    await append(source, aKey('other'), { messages: many('o', 3) })
    await saveEdit(source, anEdit('of none', sourcesOf('m1')))
    await saveEdit(source, anEdit('trip', { ...inTrip, ...sourcesOf('o1') }))
    await saveEdit(source, anEdit('trip', { ...inTrip, ...sourcesOf('o1') }))
    await saveEdit(source, anEdit('theirs'), { workspace: workspaceId('elsewhere') })
    return [source, target]
  }

  test('has those of the workspace and no other, the same one as often as it was made', async () => {
    const [source, target] = await filled()
    await bringIn(target, await writeOut(source))
    expect((await editsOf(target)).map(({ key }) => key)).toEqual(['of none', 'trip', 'trip'])
    await source.deleteEdits(HERE, [3])
    const once = await openStore()
    await bringIn(once, await writeOut(source))
    expect(await bringIn(once, await writeOut(target))).toMatchObject({ edits: 1 })
    await once.close()
  })

  test('of one conversation has the edits of that one', async () => {
    const [source, target] = await filled()
    await bringIn(target, await writeOut(source, 'trip'))
    const edits = await editsOf(target)
    expect(edits.map(({ key }) => key)).toEqual(['trip', 'trip'])
    expect(edits[0]?.sources, 'the message is not here').toEqual([])
  })

  test('erases with the messages that their words come from, in the place where it was brought to', async () => {
    const [source, target] = await filled()
    await bringIn(target, await writeOut(source))
    await target.eraseConversations([aKey('other')])
    expect((await editsOf(target)).map(({ key }) => key)).toEqual(['of none'])
  })

  test('does not bring back words that were erased since', async () => {
    const [source, target] = await filled()
    const text = await writeOut(source)
    await bringIn(target, text)
    await target.eraseMessage(HERE, sourcesOf('m1').sources[0] as MessageId, at(9))
    expect(await bringIn(target, text)).toMatchObject({ edits: 0 })
    expect((await editsOf(target)).map(({ key }) => key)).toEqual(['trip', 'trip'])
  })

  test('that was made before there were edits imports as ever', async () => {
    const [source, target] = await filled()
    const { edits: _, ...old } = JSON.parse(await writeOut(source))
    expect(await bringIn(target, JSON.stringify(old))).toMatchObject({ messages: 6, edits: 0 })
  })

  test.each([
    ['a body that is no object', { body: [1] }, 'body must be a plain object'],
    ['no body', { body: undefined }, 'body must be a plain object'],
    ['a place that is none', { position: -1 }, 'position must be at least 0, not -1'],
    ['half a key', { key: 'cut \ud83d' }, 'key contains an unpaired surrogate'],
    ['a kind that is none', { kind: '' }, 'kind must not be empty'],
    ['a time that is none', { createdAt: 'soon' }, 'invalid timestamp in export: soon'],
    ['sources that are no list', { sources: 'm1' }, 'sources must be an array'],
    ['a conversation that is not there', { conversation: 'nowhere' }, 'there is no conversation "nowhere"'],
  ])('and %s leaves that edit out, naming its place', async (_what, change, words) => {
    const [source, target] = await filled()
    const exported = JSON.parse(await writeOut(source))
    exported.edits[1] = { ...exported.edits[1], ...change }
    const { problems, skipped } = await bringIn(target, JSON.stringify(exported))
    expect(problems).toEqual([{ place: 'edit 2', reason: expect.stringContaining(words), isSkipped: true }])
    expect(skipped).toBe(1)
    expect(await editsOf(target)).toHaveLength(2)
  })
})
