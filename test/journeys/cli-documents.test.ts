import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'
import { column, makePdf } from '../support/documents/make-pdf.ts'

const { recollect, json, folder } = useCommandLine()

beforeEach(() => {
  writeFileSync(
    join(folder(), 'handbook.md'),
    '# Handbook\n\n## Refunds\n\nMoney is paid back within 30 days.\n',
  )
  writeFileSync(join(folder(), 'mills.pdf'), makePdf([column(['Old mills turn slowly.'])]))
  writeFileSync(join(folder(), 'secret.pdf'), makePdf([column(['x'])], { isEncrypted: true }))
})

test('files are added, listed and shown', () => {
  expect(recollect(['documents']).error).toContain('no memory at')
  const added = recollect(['document', 'add', 'handbook.md', 'mills.pdf'])
  expect(added).toMatchObject({ code: 0, error: '' })
  expect(added.out).toMatch(/^Added handbook\.md · 1 chunk, \d+ tokens \w+\nAdded mills\.pdf · 1 chunk/)
  const { items } = json('documents')
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['mills.pdf', 'handbook.md'])
  const [pdf, handbook] = items
  expect(recollect(['documents']).out).toMatch(/handbook\.md +markdown +1 +\d+ +1 +all +/)
  expect(recollect(['document', 'show', handbook.id]).out).toMatch(
    /type +text\/markdown \(markdown\)\nversion +1/,
  )
  expect(recollect(['document', 'show', handbook.id, '--text']).out).toContain('within 30 days')
  expect(recollect(['document', 'show', handbook.id, '--chunks']).out).toMatch(/── 0 · \d+ tokens · Handbook/)
  expect(json('document', 'show', pdf.id, '--chunks').chunks[0].text).toBe('Old mills turn slowly.')
  expect(recollect(['stats']).out).toMatch(/documents +2 \(2 chunks\)/)
  expect(recollect(['document', 'show', 'none'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('no document "none"'),
  })
})

test('a file that fails is reported, and the others are added', () => {
  const added = recollect(['document', 'add', 'secret.pdf', 'nowhere.md', 'handbook.md'])
  expect(added.code).toBe(1)
  expect(added.error).toContain('"secret.pdf" is encrypted: remove the password first')
  expect(added.error).toContain("can't read nowhere.md")
  expect(added.out).toMatch(/^Added handbook\.md/)
  expect(json('documents').items).toHaveLength(1)
  const outcomes = JSON.parse(recollect(['document', 'add', 'secret.pdf', 'handbook.md', '--json']).out)
  expect(outcomes).toMatchObject([
    { file: 'secret.pdf', error: { code: 'invalid-input' } },
    { file: 'handbook.md', document: { isNew: false } },
  ])
})

test('standard input is added under a given name', () => {
  expect(recollect(['document', 'add', '-'], 'words')).toMatchObject({ code: 1 })
  const [outcome] = JSON.parse(
    recollect(['document', 'add', '-', '--name', 'notes.md', '--id', 'notes', '--json'], '# Notes\n\nTea.')
      .out,
  )
  expect(outcome.document).toMatchObject({ id: 'notes', format: 'markdown' })
  const typed = recollect(['document', 'add', '-', '--name', 'x', '--type', 'text/csv', '--json'], 'a,b\n1,2')
  expect(JSON.parse(typed.out)[0].document.format).toBe('csv')
})

test('documents are replaced, attached, detached and erased', () => {
  recollect(['document', 'add', 'handbook.md', '--conversation', 'trip', '--id', 'h'])
  expect(json('documents', '--conversation', 'trip').items).toHaveLength(1)
  expect(json('documents', '--conversation', 'walk').items).toHaveLength(0)
  expect(json('document', 'attach', 'h').isWorkspaceWide).toBe(true)
  expect(json('document', 'attach', 'h', '--conversation', 'walk').conversationIds).toEqual(['trip', 'walk'])
  expect(recollect(['document', 'detach', 'h']).out).toMatch(/available to +trip, walk/)
  expect(json('document', 'detach', 'h', '--conversation', 'trip').conversationIds).toEqual(['walk'])
  writeFileSync(join(folder(), 'handbook.md'), '# Handbook\n\nNew words.\n')
  expect(recollect(['document', 'replace', 'h', 'handbook.md']).out).toBe('Replaced: version 2, 1 chunk.\n')
  expect(recollect(['document', 'replace', 'h', 'handbook.md']).out).toBe(
    'The content is the same, nothing was changed.\n',
  )
  expect(recollect(['document', 'erase', 'h'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('--yes'),
  })
  expect(recollect(['document', 'erase', 'h', '--yes']).out).toContain('Nothing of it remains')
  expect(json('documents').items).toEqual([])
  recollect(['document', 'add', 'handbook.md', '--conversation', 'trip', '--id', 'h'])
  expect(recollect(['erase', '--conversation', 'trip', '--yes']).out).toContain('Erased 1 document.')
  recollect(['document', 'add', 'mills.pdf', '--id', 'm'])
  expect(recollect(['erase', '--document', 'm', '--yes']).out).toMatch(
    /^Erased 1 document\.\nNothing of it remains/,
  )
})
