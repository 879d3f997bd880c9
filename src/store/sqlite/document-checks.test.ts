// Damages documents on purpose, through a plain connection without the store's rules, and tests what `check`
// reports.

import { describe, expect, test } from 'vitest'
import {
  aDocument,
  aDocumentKey,
  addDocument,
  findTexts,
  readDocuments,
} from '../../../conformance/store/document-samples.ts'
import { findProblems } from '../../../conformance/store/samples.ts'
import { openStore, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { DOCUMENT_CHECKS } from './document-checks.ts'

const mills = aDocumentKey('mills')
const PLACE = 1 * 2 ** 24

interface Damage {
  readonly what: string
  readonly damage: string
  readonly check: string
  /** Whether a rebuild repairs it, or only chunking the text again. */
  readonly isMended: boolean
}

const DAMAGES: readonly Damage[] = [
  {
    what: 'a text that was cut off',
    damage: 'UPDATE document_text SET text = substr(text, 1, 10)',
    check: 'the text of every document can be read',
    isMended: false,
  },
  {
    what: 'a text that is missing',
    damage: 'DELETE FROM document_text',
    check: 'the text of every document can be read',
    isMended: false,
  },
  {
    what: 'blocks that are no list',
    damage: "UPDATE document_text SET blocks = x'00'",
    check: 'the text of every document can be read',
    isMended: false,
  },
  {
    what: 'headings that are no JSON',
    damage: `UPDATE chunk SET heading_path = 'x' WHERE place = ${PLACE + 1}`,
    check: 'every chunk can be read',
    isMended: false,
  },
  {
    what: 'a wrong count',
    damage: 'UPDATE document SET chunk_count = 7',
    check: 'chunk counts are correct',
    isMended: true,
  },
  {
    what: 'words that are in no chunk',
    damage: `UPDATE chunk SET starts_at = starts_at + 1 WHERE place = ${PLACE + 1}`,
    check: 'chunks cover the whole text of their document',
    isMended: false,
  },
  {
    what: 'a chunk that is not in the index',
    damage: `INSERT INTO chunk_words (chunk_words, rowid, words, scope) VALUES ('delete', ${PLACE}, 'Book\nPart 0\nold mills', 'w1 d1')`,
    check: 'the search index contains every chunk',
    isMended: true,
  },
  {
    what: 'an entry of no chunk',
    damage: `INSERT INTO chunk_words (rowid, words, scope) VALUES (${PLACE + 99}, 'ghost', 'w1 d1')`,
    check: 'the search index contains only existing chunks',
    isMended: true,
  },
  {
    what: 'an attachment that no conversation has',
    damage: "DELETE FROM attachment WHERE document_id = 'mills'",
    check: 'attachments match between documents and conversations',
    isMended: true,
  },
]

async function openFilled(path: string) {
  const store = await openStore({ path })
  await addDocument(store, mills, ['old mills', 'turn slowly', 'and stop'], { conversation: 'trip' })
  return store
}

describe.each(DAMAGES)('$what', ({ damage, check, isMended }) => {
  test('is detected, and repaired by a rebuild if possible', async () => {
    const path = temporaryPath()
    const store = await openFilled(path)
    const before = await readDocuments(store)
    await store.close()
    runPlain(path, damage)
    const again = await openStore({ path })
    expect((await findProblems(again)).map((finding) => finding.check)).toEqual([check])
    if (!isMended) return
    await again.rebuild()
    expect(await findProblems(again)).toEqual([])
    expect(await readDocuments(again)).toEqual(before)
    expect(await findTexts(again, 'mills')).toEqual(['old mills'])
  })
})

test('inconsistent chunks are detected, and new chunks repair them', async () => {
  const path = temporaryPath()
  const store = await openFilled(path)
  await store.close()
  runPlain(
    path,
    `DELETE FROM chunk WHERE place = ${PLACE + 1}`,
    `INSERT INTO chunk (place, heading_path, text, tokens, starts_at, ends_at) VALUES (${77 * 2 ** 24}, '[]', 'x', 1, 0, 1)`,
  )
  const again = await openStore({ path })
  const checks = (await findProblems(again)).map(({ check }) => check)
  expect(checks).toContain('chunks belong to a document, and have no gaps')
  await again.rebuild()
  await again.saveChunks(mills, 1, aDocument(['old mills', 'turn slowly', 'and stop']))
  await again.rebuild()
  expect(await findProblems(again)).toEqual([])
})

test('a damaged text is distinguished from a missing one', async () => {
  const path = temporaryPath()
  const store = await openFilled(path)
  await store.close()
  runPlain(path, 'UPDATE document_text SET text = substr(text, 1, 10)')
  const again = await openStore({ path })
  await expect(again.documentText(mills)).rejects.toMatchObject({ code: 'store-damaged' })
  expect(await findTexts(again, 'mills')).toEqual(['old mills'])
})

test('every document check is covered', () => {
  const shown = new Set([
    ...DAMAGES.map(({ check }) => check),
    'chunks belong to a document, and have no gaps',
  ])
  expect([...shown].toSorted()).toEqual(DOCUMENT_CHECKS.map(({ check }) => check).toSorted())
})
