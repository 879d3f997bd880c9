import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'

const { recollect: run, json } = useCommandLine()
const recollect = (...words: readonly string[]) => run(words)

describe('the command line manages', () => {
  test('facts: add, list as of a date, change, pin, reject, restore, undo', () => {
    expect(recollect('facts').error).toContain('no memory at')
    recollect('facts', 'add', 'home', 'Porto', '--since', '2026-01-01')
    const { id } = json('facts', 'add', 'home', 'New', 'York', '--since', '2026-03-01')
    expect(recollect('facts').out).toMatch(
      /^since +until +about +fact +id\n2026-03-01 +user +home: New York \[added\]/,
    )
    expect(json('facts', '--as-of', '2026-02-01')).toMatchObject([{ value: 'Porto' }])
    expect(json('facts', '--closed')).toHaveLength(2)
    expect(recollect('facts', 'change', id, '--value', 'Newark').out).toContain('user · home: Newark')
    expect(recollect('facts', 'pin', id).out).toContain('pinned')
    expect(recollect('facts', 'unpin', id).out).toContain('unpinned')
    expect(recollect('facts', 'reject', id).out).toContain('rejected')
    expect(recollect('facts', '--attribute', 'home').out).toContain('No matching facts')
    expect(json('facts', '--rejected')).toMatchObject([{ id, value: 'Newark' }])
    expect(recollect('facts', 'restore', id).out).toContain('restored')
    const history = recollect('facts', '--history', id).out
    expect(history).toMatch(/added[\s\S]*changed +edit \d+, was home: New York[\s\S]*rejected[\s\S]*restored/)
    const added = json('facts', '--history', id).history[0].editId
    expect(recollect('facts', 'undo', String(added)).out).toBe(`Undid edit ${added}.\n`)
    expect(json('facts', '--as-of', '2026-04-01')).toMatchObject([{ value: 'Porto' }])
  })

  test('facts by subject and by kind', () => {
    recollect('facts', 'add', 'instruction', 'Answer in German', '--kind', 'instruction')
    recollect('facts', 'add', 'likes', 'jazz', '--subject', 'Ana', '--kind', 'preference')
    expect(json('facts', '--subject', 'ana')).toMatchObject([{ value: 'jazz', kind: 'preference' }])
    expect(json('facts', '--kind', 'instruction')).toMatchObject([{ subject: 'user' }])
    expect(recollect('preferences').out).toContain('instruction: Answer in German')
    expect(json('preferences', '--subject', 'Ana').facts).toMatchObject([{ value: 'jazz' }])
  })

  test('preferences: any JSON, or plain text', () => {
    expect(recollect('preferences', 'set', 'units', 'metric').out).toBe('Set units to "metric".\n')
    recollect('preferences', 'set', 'page', '{"size": 20}')
    expect(json('preferences').values).toEqual({ units: 'metric', page: { size: 20 } })
    expect(recollect('preferences', 'clear', 'page').out).toBe('Removed page.\n')
    expect(recollect('preferences', 'clear', 'page').out).toBe('page was not set.\n')
    recollect('preferences', 'clear', 'units')
    expect(recollect('preferences').out).toContain('No preferences yet')
  })

  test('memory blocks: set, replace a passage, history, undo, delete', () => {
    recollect('blocks', 'set', 'profile', 'Lives', 'in', 'Porto.')
    expect(recollect('blocks', 'set', 'profile', 'Braga', '--replace', 'Porto').out).toContain(
      'profile: Lives in Braga.',
    )
    expect(json('blocks', 'history', 'profile')).toMatchObject([
      { text: 'Lives in Braga.', updatedBy: 'user' },
      { text: 'Lives in Porto.' },
    ])
    expect(recollect('blocks', 'undo', 'profile').out).toContain('profile: Lives in Porto.')
    expect(recollect('blocks', 'delete', 'profile').out).toBe('Deleted profile.\n')
    expect(recollect('blocks', 'undo', 'profile').error).toContain('there is no memory block "profile"')
    expect(recollect('blocks').out).toContain('No memory blocks yet')
  })

  test('notes of one conversation or of all', () => {
    recollect('record', 'trip', 'How is the weather?')
    expect(recollect('notes').out).toContain('No notes')
    recollect(
      'notes',
      'add',
      'Rain until Friday',
      '--in',
      'trip',
      '--tool',
      'search',
      '--url',
      'https://example.org',
    )
    const { id } = json('notes', 'add', 'It stays', '--no-expire')
    expect(recollect('notes', '--in', 'trip').out).toMatch(
      /^Rain until Friday\n.* · search · https:\/\/example.org · in trip · expires /,
    )
    expect(json('notes')).toHaveLength(2)
    expect(recollect('notes', 'delete', id).out).toBe('Deleted the note.\n')
    expect(recollect('notes', 'delete', id)).toMatchObject({
      code: 1,
      error: expect.stringContaining('no note'),
    })
  })

  test('entities, which are empty at first', () => {
    recollect('record', 'trip', 'Hello')
    expect(recollect('entities', '--type', 'place').code).toBe(0)
    expect(recollect('entities', '--in', 'trip').out).toContain('No people or things yet')
  })

  test('mistakes with helpful errors', () => {
    recollect('facts', 'add', 'home', 'Porto')
    expect(recollect('facts', 'pin', 'nope')).toMatchObject({
      code: 1,
      error: expect.stringContaining('no fact'),
    })
    expect(recollect('facts', '--as-of', 'May')).toMatchObject({
      code: 1,
      error: expect.stringContaining('2026-05-01'),
    })
    expect(recollect('facts', 'add', 'home')).toMatchObject({ code: 2 })
    expect(recollect('facts', '--kind', 'rumour')).toMatchObject({ code: 2 })
    expect(recollect('facts', 'change', 'nope')).toMatchObject({ code: 1 })
    expect(recollect('facts', 'pin', '--help')).toMatchObject({ code: 0 })
  })
})
