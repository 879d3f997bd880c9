import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'

const { recollect, json, folder } = useCommandLine()

test('a page is created, changed, shown and listed', () => {
  expect(recollect(['page', 'show', 'sales']).error).toContain('no memory at')
  const made = recollect(['page', 'set', 'sales', '--file', 'doc-1', '--file-name', 'Sales.csv'])
  expect(made.code).toBe(0)
  expect(made.out).toMatch(/active file +Sales\.csv doc-1\ntopic +none\nentities +none\npreferences +none\n/)
  recollect([
    'page',
    'set',
    'sales',
    '--topic',
    'Costs',
    '--entity',
    'Ana={"role":"buyer"}',
    '--entity',
    'n=5',
  ])
  const set = ['page', 'set', 'sales', '--entity', 'n=', '--preference', 'chart=bar', '--clear', 'activeFile']
  expect(json(...set)).toMatchObject({
    pageId: 'sales',
    activeFile: null,
    currentTopic: 'Costs',
    entities: { Ana: { role: 'buyer' } },
    preferences: { chart: 'bar' },
  })
  expect(recollect(['page', 'show', 'sales']).out).toMatch(
    /topic +Costs\nentities +Ana: \{"role":"buyer"\}\n/,
  )
  expect(recollect(['page', 'list']).out).toMatch(/0 +sales +Costs/)
  expect(json('page', 'list').items).toHaveLength(1)
})

test('queries are added, listed, selected for a question and flagged', () => {
  writeFileSync(join(folder(), 'results.json'), JSON.stringify([{ count: 42 }]))
  const first = json(
    ...['page', 'add-query', 'sales', 'How', 'many', 'orders?', '--sql', 'SELECT count(*) FROM orders'],
    ...['--results', 'results.json', '--response', 'There are 42.'],
  )
  expect(first).toMatchObject({ query: 'How many orders?', intent: 'data_query', results: [{ count: 42 }] })
  for (let i = 0; i < 8; i++) recollect(['page', 'add-query', 'sales', `Report ${i} about parcels`])
  expect(json('page', 'history', 'sales', '--limit', '3')).toHaveLength(3)
  const history = recollect(['page', 'history', 'sales', '--after', '0', '--limit', '1'])
  expect(history.out).toMatch(/^Report 0 about parcels\n {2}#1 · /)
  const selected = json('page', 'history', 'sales', '--question', 'parcels?', '--limit', '8')
  expect(selected.map(({ position }: { position: number }) => position)).toEqual([0, 1, 3, 4, 5, 6, 7, 8])
  expect(recollect(['page', 'flag', first.id]).out).toContain('How many orders? important')
  expect(json('page', 'history', 'sales', '--important')).toHaveLength(1)
  expect(json('page', 'flag', first.id, '--off').important).toBe(false)
  expect(recollect(['stats']).out).toMatch(/pages +1 \(9 queries\)/)
})

test('pages and queries are exported, imported and erased, and the file stays valid', () => {
  const { id } = json('page', 'add-query', 'sales', 'What is xyzzyplugh?')
  recollect(['page', 'add-query', 'sales', 'And quuxfrotz?'])
  expect(recollect(['export', 'sales', '--format', 'markdown']).out).toContain('# Page `sales`')
  recollect(['export', '--out', 'all.json'])
  expect(recollect(['--db', 'copy.db', 'import', 'all.json']).out).toContain('1 pages with 2 queries')
  expect(recollect(['erase', '--query', id]).error).toContain('--yes')
  expect(recollect(['erase', '--query', id, '--yes']).out).toContain('Erased 1 query.')
  expect(readFileSync(join(folder(), 'memory.db')).includes('xyzzyplugh')).toBe(false)
  expect(recollect(['erase', '--page', 'sales', '--yes']).out).toContain('Erased 1 query on 1 page.')
  expect(readFileSync(join(folder(), 'memory.db')).includes('quuxfrotz')).toBe(false)
  expect(recollect(['doctor']).code).toBe(0)
  expect(recollect(['page', 'list']).out).toContain('No pages yet')
  expect(recollect(['page', 'history', 'sales']).out).toContain('No matching queries on "sales"')
})

test('mistakes give helpful errors', () => {
  recollect(['page', 'set', 'sales', '--topic', 'Costs'])
  expect(recollect(['page', 'set', 'sales', '--clear', 'topic'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('activeFile, currentTopic'),
  })
  expect(recollect(['page', 'set', 'sales', '--file-name', 'x'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('--file-name needs --file'),
  })
  expect(recollect(['page', 'flag', 'nobody'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('there is no query "nobody"'),
  })
  expect(recollect(['page', 'add-query', 'sales', 'x', '--intent', 'chat']).code).toBe(2)
  expect(recollect(['page', 'shwo', 'sales'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('Did you mean show?'),
  })
  expect(recollect(['page', '--help']).code).toBe(0)
  expect(recollect(['page', 'set', '--help']).out).toContain('Examples:')
  expect(recollect(['erase', '--page', 'a', '--query', 'b', '--yes']).error).toContain(
    'choose one thing to erase',
  )
})
