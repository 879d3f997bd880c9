import { expect, test } from 'vitest'
import { StatementNames } from './driver.ts'

test('a statement gets a name the third time it runs, and keeps it', () => {
  const names = new StatementNames()
  const given = Array.from({ length: 5 }, () => names.nameOf('SELECT 1'))
  expect(given).toEqual([undefined, undefined, 'recollect_1', 'recollect_1', 'recollect_1'])
})

test('names are unique, even after one is given up', () => {
  const names = new StatementNames()
  for (let i = 0; i < 3; i++) for (const sql of ['a', 'b']) names.nameOf(sql)
  names.giveUp('a')
  for (let i = 0; i < 3; i++) names.nameOf('c')
  expect(['a', 'b', 'c'].map((sql) => names.nameOf(sql))).toEqual([undefined, 'recollect_2', 'recollect_3'])
})

test('statements that never repeat take no name from those that do', () => {
  const names = new StatementNames()
  for (let i = 0; i < 5000; i++) names.nameOf(`SELECT ${i}`)
  for (let i = 0; i < 3; i++) names.nameOf('again')
  expect(names.nameOf('again')).toBe('recollect_1')
})

test('the number of names is limited', () => {
  const names = new StatementNames()
  for (let i = 0; i < 300; i++) for (let time = 0; time < 3; time++) names.nameOf(`SELECT ${i}`)
  expect(names.nameOf('SELECT 199')).toBe('recollect_200')
  expect(names.nameOf('SELECT 200')).toBeUndefined()
})
