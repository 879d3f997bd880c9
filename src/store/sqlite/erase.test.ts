// Promise 8, tested from outside: every byte of every file is read while the store is open, and no trace of erased
// text may be found. Every message contains unique words ("needles"). Compressed text is not visible in the bytes:
// all blocks are unpacked, and no piece of a deleted block may be left.

import { describe, expect, test } from 'vitest'
import {
  aKey,
  aMessage,
  append,
  at,
  ELSEWHERE,
  findProblems,
  fork,
  HERE,
  many,
  needMessage,
  readAll,
  toPositions,
  upTo,
} from '../../../conformance/store/samples.ts'
import { effort } from '../../../test/support/effort.ts'
import { findLeafWords, findTraces } from '../../../test/support/find-traces.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { openPlain, openStore, readRaw } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId, type WorkspaceId } from '../../domain/ids.ts'
import { type Content, readableText } from '../../domain/message.ts'
import { indexableWords } from '../../domain/words.ts'
import { unpackMessages } from '../pack-messages.ts'
import { readPositions } from '../positions.ts'
import type { BlockRow } from '../rows.ts'
import type { AcceptedMessage, Store } from '../store.ts'

const NEEDLE = 16
const LARGE = effort({ short: 800, long: 3000 })
const HALF = NEEDLE / 2
const PIECE_BYTES = 24
const PIECE_STEP = 600

interface Kept {
  readonly message: AcceptedMessage
  readonly workspace: WorkspaceId
  readonly conversation: string
  /** Random letters; either half of one counts as a trace. */
  readonly needles: readonly string[]
  /** Words with a long common prefix, so that the index must store nearly a whole word to separate leaves. */
  readonly numbered: string
}

/** What was written to a file, and what should still be there. */
class Haystack {
  readonly path: string
  readonly store: Store
  readonly random: SeededRandom
  live: Kept[] = []
  erased: Kept[] = []
  /** Every block ever written. */
  readonly blocks = new Map<number, Uint8Array>()

  constructor(path: string, store: Store, random: SeededRandom) {
    this.path = path
    this.store = store
    this.random = random
  }

  /** Appends small batches to conversations in turn, so that their rows are interleaved. */
  async fill(count: number, conversations: number): Promise<void> {
    while (this.live.length < count) {
      const workspace = this.random.below(5) === 0 ? ELSEWHERE : HERE
      const conversation = `c${this.random.below(conversations)}`
      const batch = upTo(1 + this.random.below(3)).map(() => this.#make(workspace, conversation))
      const title = `About ${batch[0]?.needles[0]}`
      const messages = batch.map(({ message }) => message)
      await append(this.store, aKey(conversation, workspace), { messages, suggestTitle: () => title })
      this.live.push(...batch)
    }
  }

  /** Compresses two thirds of every conversation, a few at a time, so that blocks are rewritten as they grow. */
  async compress(conversations: number): Promise<void> {
    for (const workspace of [HERE, ELSEWHERE]) {
      for (const number of upTo(conversations)) {
        const key = aKey(`c${number}`, workspace)
        const positions = toPositions(await readAll(this.store, key)).filter(() => this.random.below(3) > 0)
        for (let from = 0; from < positions.length; from += 30) {
          await this.store.compress(key, positions.slice(from, from + 30))
          this.#noteBlocks()
        }
      }
    }
  }

  #noteBlocks(): readonly BlockRow[] {
    const rows = readBlocks(this.path)
    for (const { number, body } of rows) this.blocks.set(number, body)
    return rows
  }

  #make(workspace: WorkspaceId, conversation: string): Kept {
    const { random } = this
    const needles = upTo(3).map(() => random.letters(1).toUpperCase() + random.letters(NEEDLE - 1))
    const [first = '', second = '', third = ''] = needles
    const numbered = `numbered${String(random.below(1e6)).padStart(6, '0')}`
    // Sometimes longer than a page.
    const length = random.below(random.below(20) === 0 ? 2000 : 80)
    const filler = upTo(length)
      .map(() => random.letters(1 + random.below(9)))
      .join(' ')
    const contents: readonly Content[] = [
      `${filler} ${first} ${numbered}`,
      `${first} ${numbered} ${filler}`,
      [{ type: 'tool-call', toolCallId: 'c', toolName: 'find', input: { filler, first, numbered } }],
      [{ type: 'tool-result', toolCallId: 'c', output: [filler, { [first]: numbered }] }],
    ]
    const id = `m${this.live.length + this.erased.length}-${random.letters(6)}`
    const message = aMessage(id, random.pick(contents), { name: second, metadata: { [third]: third } })
    return { message, workspace, conversation, needles, numbered }
  }

  async eraseMessage(kept: Kept): Promise<void> {
    const { isScrubbed } = await this.store.eraseMessage(kept.workspace, kept.message.id, at(9))
    expect(isScrubbed).toBe(true)
    this.#note((other) => other === kept)
  }

  async eraseConversation(conversation: string): Promise<void> {
    const { isScrubbed } = await this.store.eraseConversations([aKey(conversation)])
    expect(isScrubbed).toBe(true)
    this.#note((kept) => kept.workspace === HERE && kept.conversation === conversation)
  }

  async eraseConversations(count: number): Promise<void> {
    for (const conversation of upTo(count).map((number) => `c${number}`)) {
      const isThere = this.live.some((kept) => kept.workspace === HERE && kept.conversation === conversation)
      if (isThere) await this.eraseConversation(conversation)
    }
  }

  async eraseWorkspace(workspace: WorkspaceId): Promise<void> {
    const { isScrubbed } = await this.store.eraseWorkspace(workspace)
    expect(isScrubbed).toBe(true)
    this.#note((kept) => kept.workspace === workspace)
  }

  #note(isErased: (kept: Kept) => boolean): void {
    this.erased.push(...this.live.filter(isErased))
    this.live = this.live.filter((kept) => !isErased(kept))
  }

  /** The bytes of all files, plus the unpacked blocks. */
  readShown(): Buffer {
    const words = this.#noteBlocks().flatMap((block) => [...unpackMessages(block).values()])
    const texts = words.flatMap(({ content, metadata }) => [content, metadata ?? ''])
    return Buffer.concat([readRaw(this.path), Buffer.from(texts.join('\n'))])
  }

  /** Deleted blocks of which a piece is still in the files that no existing block contains. */
  findBlockTraces(): readonly number[] {
    const standing = this.#noteBlocks()
    const bodies = Buffer.concat(standing.map(({ body }) => body))
    const numbers = new Set(standing.map(({ number }) => number))
    const raw = readRaw(this.path)
    const isTrace = (piece: Buffer) => raw.includes(piece) && !bodies.includes(piece)
    return [...this.blocks]
      .filter(([number, body]) => !numbers.has(number) && toPieces(body).some(isTrace))
      .map(([number]) => number)
  }

  findTraces(): readonly string[] {
    const raw = this.readShown()
    const standing = new Set(this.live.map(({ numbered }) => numbered))
    const numbered = this.erased.map((kept) => kept.numbered).filter((word) => !standing.has(word))
    return [...findTraces(raw, this.erased.flatMap(toHalves)), ...findTraces(raw, numbered)]
  }

  /** Words that are in the index's table of leaves but in no message. */
  findOrphanedLeaves(): readonly string[] {
    const words = this.live.flatMap(({ message }) => indexableWords(readableText(message.content)).split(' '))
    return findLeafWords(this.path, 'message_words').filter(
      (leaf) => !words.some((word) => word.startsWith(leaf)),
    )
  }
}

async function openHaystack(seed: number): Promise<Haystack> {
  const path = temporaryPath()
  return new Haystack(path, await openStore({ path }), new SeededRandom(seed))
}

function readBlocks(path: string): readonly BlockRow[] {
  const plain = openPlain(path)
  const rows = plain.prepare('SELECT * FROM block').all() as BlockRow[]
  plain.close()
  return rows
}

/** Skips the beginning, where blocks may look alike. */
function toPieces(body: Uint8Array): readonly Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 32; at + PIECE_BYTES <= body.length; at += PIECE_STEP)
    pieces.push(Buffer.from(body.subarray(at, at + PIECE_BYTES)))
  return pieces
}

/** A few are enough to see what is wrong. */
const some = (traces: readonly string[]) => traces.slice(0, 4)

const toHalves = ({ needles }: Kept): readonly string[] =>
  needles.flatMap((needle) => [needle.slice(0, HALF), needle.slice(HALF)])

describe('after an erase, no byte of the text is in any file', () => {
  const ROUNDS = [
    { seed: 1, messages: 60, conversations: 3, isCompressed: false },
    { seed: 2, messages: 300, conversations: 4, isCompressed: true },
    { seed: 3, messages: 300, conversations: 12, isCompressed: false },
    { seed: 4, messages: 1000, conversations: 6, isCompressed: true },
    { seed: 5, messages: 1000, conversations: 40, isCompressed: true },
    { seed: 6, messages: LARGE, conversations: 8, isCompressed: false },
    { seed: 7, messages: LARGE, conversations: 100, isCompressed: false },
  ]

  test.each(ROUNDS)('seed $seed: $messages messages in $conversations conversations', async (round) => {
    const haystack = await openHaystack(round.seed)
    const { random } = haystack
    await haystack.fill(round.messages, round.conversations)
    await haystack.compress(round.isCompressed ? round.conversations : 0)
    expect(some(haystack.findTraces())).toEqual([])

    for (const _ of upTo(15)) await haystack.eraseMessage(random.pick(haystack.live))
    expect(some(haystack.findTraces()), 'after single messages').toEqual([])
    expect(haystack.findBlockTraces()).toEqual([])

    await haystack.eraseConversations(Math.ceil(round.conversations / 2))
    expect(some(haystack.findTraces()), 'after conversations').toEqual([])
    expect(haystack.findBlockTraces()).toEqual([])

    for (const _ of upTo(15))
      if (haystack.live.length > 1) await haystack.eraseMessage(random.pick(haystack.live))
    await haystack.eraseWorkspace(ELSEWHERE)
    expect(some(haystack.findTraces()), 'after a workspace').toEqual([])
    expect(some(haystack.findOrphanedLeaves())).toEqual([])
    expect(haystack.findBlockTraces()).toEqual([])
    expect(haystack.blocks.size > 10).toBe(round.isCompressed)

    const standing = haystack.live.flatMap(toHalves)
    expect(new Set(findTraces(haystack.readShown(), standing)).size).toBe(
      new Set(standing.map((s) => s.toLowerCase())).size,
    )
    expect(await findProblems(haystack.store)).toEqual([])
  })

  test('rows that SQLite moved before the erase leave no copy at their old location', async () => {
    const left: Record<number, readonly string[]> = {}
    for (const seed of upTo(effort({ short: 4, long: 12 }))) {
      const haystack = await openHaystack(100 + seed)
      await haystack.fill(400, 4)
      for (const conversation of ['c0', 'c1', 'c2']) await haystack.eraseConversation(conversation)
      const traces = haystack.findTraces()
      if (traces.length > 0) left[100 + seed] = some(traces)
    }
    expect(left).toEqual({})
  })

  test('many erases at the same time', async () => {
    const haystack = await openHaystack(8)
    await haystack.fill(700, 3)
    const victims = haystack.live.filter(({ workspace }) => workspace === HERE).slice(0, 400)
    const outcomes = await Promise.all(
      victims.map(({ message }) => haystack.store.eraseMessage(HERE, message.id, at(9))),
    )
    expect(outcomes.every(({ isScrubbed }) => isScrubbed)).toBe(true)
    expect(some(findTraces(readRaw(haystack.path), victims.flatMap(toHalves)))).toEqual([])
  })

  test('erases by two processes at the same time', async () => {
    const haystack = await openHaystack(9)
    await haystack.fill(400, 3)
    const other = await openStore({ path: haystack.path })
    const victims = haystack.live.filter(({ workspace }) => workspace === HERE).slice(0, 200)
    const outcomes = await Promise.all(
      victims.map(async ({ message }, i) => {
        await new Promise((wake) => setTimeout(wake, i % 20))
        return (i % 2 === 0 ? haystack.store : other).eraseMessage(HERE, message.id, at(9))
      }),
    )
    const scrubbed = victims.filter((_, i) => outcomes[i]?.isScrubbed)
    expect(some(findTraces(readRaw(haystack.path), scrubbed.flatMap(toHalves)))).toEqual([])
    expect(await other.scrub()).toBe(true)
    expect(some(findTraces(readRaw(haystack.path), victims.flatMap(toHalves)))).toEqual([])
  })

  test('a message that is erased while it is being recorded', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    await append(store, aKey('trip'), { messages: many('m', 50) })
    const appended = append(store, aKey('trip'), {
      messages: [aMessage('s', 'Vexillology')],
      suggestTitle: () => 'Vexillology',
    })
    const erased = store.eraseMessage(HERE, messageId('s'), at(9))
    await appended
    expect(await erased).toMatchObject({ messages: 1, isScrubbed: true })
    expect(findTraces(readRaw(path), ['vexillology'])).toEqual([])
  })

  test('copies in forks', async () => {
    const haystack = await openHaystack(10)
    await haystack.fill(200, 1)
    const key = aKey('c0')
    const last = (await readAll(haystack.store, key)).length - 1
    for (const into of ['one', 'two', 'three']) await fork(haystack.store, key, { at: last, into })
    await haystack.compress(1)
    await haystack.store.compress(aKey('two'), upTo(last))
    for (const _ of upTo(40)) await haystack.eraseMessage(haystack.random.pick(haystack.live))
    expect(some(haystack.findTraces())).toEqual([])
    expect(haystack.findBlockTraces()).toEqual([])
  })

  test('a message in a damaged block, including the unreadable bytes', async () => {
    const haystack = await openHaystack(11)
    await haystack.fill(60, 1)
    await haystack.compress(1)
    const [block] = readBlocks(haystack.path)
    const body = Buffer.from(block?.body ?? [])
    body.fill(0xaa, body.length >> 1, (body.length >> 1) + 40)
    openPlain(haystack.path)
      .prepare('UPDATE block SET body = ? WHERE number = ?')
      .run(body, block?.number ?? 0)
    haystack.blocks.set(-1, body)
    const inBlock = new Set(readPositions(block?.positions ?? ''))
    const workspace = haystack.live.find(({ conversation }) => conversation === 'c0')?.workspace ?? HERE
    const messages = await readAll(haystack.store, aKey('c0', workspace))
    for (const message of messages.filter(({ position }) => inBlock.has(position)).slice(-2)) {
      expect((await haystack.store.eraseMessage(workspace, message.id, at(9))).isScrubbed).toBe(true)
    }
    expect(readBlocks(haystack.path).map(({ number }) => number)).not.toContain(block?.number)
    expect(haystack.findBlockTraces()).toEqual([])
  })

  test('a title that was generated from the text and replaced since', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    const secrets = upTo(3000).map((i) => `secretword${String(i).padStart(6, '0')}`)
    for (const [i, secret] of secrets.entries()) {
      const messages = [aMessage(`m${i}`, secret)]
      await append(store, aKey(`c${i}`), { messages, suggestTitle: () => secret })
    }
    const leaves = findLeafWords(path, 'conversation_words')
    const victims = upTo(secrets.length).filter((i) => leaves.includes(secrets[i] as string))
    expect(victims.length, 'words that the table of leaves has in full').toBeGreaterThan(0)
    for (const i of victims) {
      await store.changeConversation(aKey(`c${i}`), { title: 'Renamed', isTitleGiven: true })
      expect((await store.eraseMessage(HERE, messageId(`m${i}`), at(9))).isScrubbed).toBe(true)
    }
    const erased = victims.map((i) => secrets[i] as string)
    expect(findTraces(readRaw(path), erased)).toEqual([])
  })
})

describe('these tests can fail', () => {
  test('a plain delete leaves the text in the file', async () => {
    const path = temporaryPath()
    const plain = openPlain(path)
    plain.exec('PRAGMA secure_delete = OFF; PRAGMA journal_mode = WAL; CREATE TABLE message (words TEXT)')
    const random = new SeededRandom(1)
    const needles = upTo(200).map(() => random.letters(NEEDLE))
    for (const needle of needles) plain.prepare('INSERT INTO message VALUES (?)').run(needle)
    plain.exec('DELETE FROM message WHERE rowid < 100; PRAGMA wal_checkpoint(TRUNCATE)')
    const left = findTraces(readRaw(path), needles.slice(0, 99))
    expect(left.length).toBeGreaterThan(50)
  })

  test('a block that is rewritten without an erase leaves pieces of the old one', async () => {
    const haystack = await openHaystack(12)
    await haystack.fill(400, 2)
    await haystack.compress(2)
    expect(haystack.findBlockTraces()).not.toEqual([])
  })

  test('deleted text stays in the log until the log is emptied', async () => {
    const path = temporaryPath()
    const plain = openPlain(path)
    plain.exec('PRAGMA secure_delete = ON; PRAGMA journal_mode = WAL; CREATE TABLE message (words TEXT)')
    plain.exec("INSERT INTO message VALUES ('Vexillology'); DELETE FROM message")
    expect(findTraces(readRaw(path), ['vexillology'])).toEqual(['vexillology'])
    plain.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(findTraces(readRaw(path), ['vexillology'])).toEqual([])
  })

  test('an index without secure-delete keeps the words', async () => {
    const path = temporaryPath()
    const plain = openPlain(path)
    plain.exec("PRAGMA secure_delete = ON; CREATE VIRTUAL TABLE word USING fts5 (words, content = '')")
    plain.exec("INSERT INTO word (rowid, words) VALUES (1, 'vexillology')")
    plain.exec("INSERT INTO word (word, rowid, words) VALUES ('delete', 1, 'vexillology')")
    expect(findTraces(readRaw(path), ['vexillology'])).toEqual(['vexillology'])
  })
})

describe('a reader that still uses the old state', () => {
  test('delays an erase, which is reported; once the reader is gone, the erase can be completed', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    await append(store, aKey('trip'), { messages: [...many('m', 20), aMessage('s', 'Vexillology')] })
    const reader = openPlain(path)
    reader.exec('BEGIN')
    expect(reader.prepare('SELECT count(*) AS count FROM message').get()).toEqual({ count: 21 })

    expect(await store.eraseMessage(HERE, messageId('s'), at(9))).toMatchObject({
      messages: 1,
      isScrubbed: false,
    })
    expect((await needMessage(store, 's')).content, 'erased for every new reader').toBe('')
    expect(await findProblems(store)).toEqual([
      {
        check: 'erased text is removed from the files',
        problem: expect.any(String),
        remedy: expect.stringContaining('close other programs'),
      },
    ])
    expect(findTraces(readRaw(path), ['vexillology'])).toEqual(['vexillology'])
    expect(await store.scrub()).toBe(false)

    reader.exec('COMMIT')
    expect(await store.scrub()).toBe(true)
    expect(findTraces(readRaw(path), ['vexillology'])).toEqual([])
    expect(await findProblems(store)).toEqual([])
  })

  test('an incomplete erase is completed by the next one', async () => {
    const path = temporaryPath()
    const store = await openStore({ path })
    await append(store, aKey('trip'), {
      messages: [aMessage('a', 'Vexillology'), aMessage('b', 'Campanology')],
    })
    const reader = openPlain(path)
    reader.exec('BEGIN')
    reader.prepare('SELECT * FROM message').all()
    expect((await store.eraseMessage(HERE, messageId('a'), at(9))).isScrubbed).toBe(false)
    reader.exec('COMMIT')
    expect((await store.eraseMessage(HERE, messageId('b'), at(9))).isScrubbed).toBe(true)
    expect(findTraces(readRaw(path), ['vexillology', 'campanology'])).toEqual([])
  })
})
