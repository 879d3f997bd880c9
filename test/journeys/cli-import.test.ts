import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { MAIN, useCommandLine } from '../support/command-line.ts'
import { importFixture } from '../support/import-fixtures.ts'
import { makeZip } from '../support/make-zip.ts'

const { recollect, json, folder } = useCommandLine()
const fixture = (name: string) => readFileSync(importFixture(name))

/** Our own export of two messages. */
const exported = () => {
  for (const word of ['Hello', 'Good day']) recollect(['record', 'chat', word])
  return recollect(['export']).out
}

const chatgptZip = () => {
  const path = join(folder(), 'chatgpt.zip')
  const chats = { name: 'conversations.json', content: fixture('chatgpt-conversations.json') }
  writeFileSync(path, makeZip([chats, { name: 'user.json', content: '{}' }]))
  return path
}

describe('recollect import', () => {
  test('previews an archive, imports it, and adds nothing the second time', () => {
    const zip = chatgptZip()
    const dry = recollect(['import', zip, '--dry-run'])
    expect(dry.out).toMatch(
      /^started +new +existing +forks +title +id\n2024-05-01 +9 +0 +1 +Where to eat in Lisbon/,
    )
    expect(dry.out).toContain('Would import 2 conversations and 13 messages, 1 fork, 2 facts.')
    expect(existsSync(join(folder(), 'memory.db'))).toBe(false)
    const first = recollect(['import', zip])
    expect(first.out).toContain('Imported 2 conversations and 13 messages, 1 fork, 2 facts.')
    expect(recollect(['import', zip]).out).toContain(
      'Imported 0 conversations and 0 messages (15 items already imported).',
    )
    expect(recollect(['list']).out).toContain('Where to eat in Lisbon')
    expect(recollect(['search', 'tiled']).out).toContain('The Tiled Kitchen')
    expect(json('stats').messages).toBe(14)
  })

  test('lists skipped items and sets the exit code', () => {
    const run = recollect(['import', chatgptZip()])
    expect(run.code).toBe(4)
    expect(run.out).toContain('1 item skipped:\n  conversations.json, conversation 2: missing "mapping"')
    expect(run.out).toContain(
      'Imported with changes:\n  conversations.json, conversation 3, node 4: unknown content type',
    )
    expect(recollect(['import', importFixture('librechat-tree.json')]).code).toBe(0)
  })

  test('prints JSON, in a dry run with a preview of each conversation', () => {
    expect(json('import', chatgptZip(), '--dry-run')).toMatchObject({
      format: 'chatgpt',
      isDryRun: true,
      conversations: 2,
      skipped: 1,
      problems: [{ place: 'conversations.json, conversation 2', isSkipped: true }, { isSkipped: false }],
      conversationList: [{ title: 'Where to eat in Lisbon', messages: 9, forks: 1 }, { messages: 4 }],
    })
  })

  test('accepts standard input, gzipped files, --format and --no-branches', () => {
    const lines = fixture('openai-messages.jsonl').toString()
    expect(recollect(['import', '-', '--format', 'openai'], lines).out).toContain('4 messages')
    writeFileSync(join(folder(), 'lines.jsonl.gz'), gzipSync(lines))
    expect(recollect(['import', 'lines.jsonl.gz']).out).toContain('4 items already imported')
    expect(recollect(['import', chatgptZip(), '--no-branches']).out).toContain('and 11 messages, 2 facts.')
  })

  test.each([
    ['openai', () => fixture('openai-messages.jsonl').toString(), ''],
    ['claude', () => fixture('claude-conversations.json').toString().trimEnd().replace(/\]$/, ''), ']'],
    ['recollect', () => exported().replace(/\]\s*\}\s*\]\s*\}\s*$/, ''), ']}]}'],
  ])('input from a pipe that stays open is stored as it arrives: %s', async (_, begin, end) => {
    const beginning = begin()
    const path = join(folder(), 'piped.db')
    const importing = spawn(process.execPath, [MAIN, '--db', path, 'import', '-'], { cwd: folder() })
    importing.stdin.write(beginning)
    const stored = () => recollect(['--db', path, 'stats', '--json'])
    await expect
      .poll(() => stored().code === 0 && JSON.parse(stored().out).messages > 0, {
        timeout: 60_000,
        interval: 500,
      })
      .toBe(true)
    expect(importing.exitCode).toBeNull()
    importing.stdin.end(end)
    const [code] = await once(importing, 'exit')
    expect(code).not.toBe(1)
  })

  test('shows progress on a terminal: a bar if the size is known, in an archive too; otherwise a count', () => {
    const shown = (words: string) =>
      spawnSync(
        'script',
        ['-qec', `sh -c '${words.replaceAll('RECOLLECT', `"${process.execPath}" "${MAIN}"`)}'`, '/dev/null'],
        {
          cwd: folder(),
          encoding: 'utf8',
          env: { ...process.env, TERM: 'xterm' },
        },
      ).stdout
    chatgptZip()
    expect(shown('RECOLLECT import chatgpt.zip --dry-run')).toMatch(/Importing █+ 100%/)
    writeFileSync(join(folder(), 'lines.jsonl'), fixture('openai-messages.jsonl'))
    expect(shown('RECOLLECT import lines.jsonl --dry-run')).toMatch(/Importing █+ 100%/)
    expect(shown('cat lines.jsonl | RECOLLECT import - --dry-run')).toMatch(/Importing · \d+ messages/)
  })

  test('waits for topics and facts with --derive', () => {
    expect(recollect(['import', chatgptZip(), '--derive']).code).toBe(4)
    expect(json('facts')).toMatchObject([
      { attribute: 'diet', value: 'vegetarian' },
      { value: 'I work as a nurse.', origin: 'given' },
      { kind: 'preference', value: 'Be brief.' },
    ])
    expect(json('stats').topics).toBeGreaterThan(0)
  })

  test.each([
    [['import', 'nowhere.json'], 1, 'file not found: nowhere.json'],
    [['import', '.'], 1, 'no export found in .'],
    [['import', '-'], 1, 'the file is empty'],
    [['import', '-', '--format', 'myspace'], 2, 'myspace'],
  ])('%j is refused', (words, code, message) => {
    const run = recollect(words)
    expect([run.code, run.error]).toEqual([code, expect.stringContaining(message)])
  })

  test('lists the supported formats if the format is unknown', () => {
    const { error, code } = recollect(['import', '-'], '{"dear":"diary"}')
    expect(code).toBe(1)
    expect(error).toMatch(/unknown export format\nsupported formats:\n {2}recollect /)
  })
})
