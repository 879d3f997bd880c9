// What people expect of any command line: help with examples, JSON, pipes, colours only for eyes, Ctrl-C.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { type Memory, openMemory } from '../../src/index.ts'
import { useCommandLine } from '../support/command-line.ts'

const { recollect, json, folder } = useCommandLine()
const MAIN = join(import.meta.dirname, '../../dist/cli/main.js')

const program = createProgram()
const visible = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((part) => part.name() !== 'help')
const listed = (command: Command, path: readonly string[] = []): readonly (readonly [string, Command])[] =>
  visible(command).flatMap((part) => {
    const words = [...path, part.name()]
    return [[words.join(' '), part] as const, ...listed(part, words)]
  })
const COMMANDS = listed(program)

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (piece) => (text += piece) })
  command.outputHelp()
  return text
}

test.each([
  'serve demo chat import export search recall context topics facts stats backup rebuild prune erase keys doctor bench',
])('every documented command exists: %s', (names) => {
  expect(COMMANDS.map(([path]) => path)).toEqual(expect.arrayContaining(names.split(' ')))
})

test('the help of every command has valid examples', () => {
  const problems: string[] = []
  for (const [path, command] of COMMANDS) {
    const examples = helpOf(command).split(/\nExamples?:\n/)[1] ?? ''
    const lines = [...examples.matchAll(/^.*\brecollect (.*)$/gm)].map(([, line = '']) => line)
    if (lines.length === 0) problems.push(`${path} has no examples`)
    for (const line of lines)
      problems.push(...strangersOf(line.replace(/[#|>&].*$/, '')).map((one) => `${path}: ${one}`))
  }
  expect(problems).toEqual([])
})

/** Commands and options of a line that do not exist. */
function strangersOf(line: string): readonly string[] {
  const words = line.match(/"[^"]*"|\S+/g) ?? []
  let command: Command = program
  const known = new Set(program.options.map(({ long }) => long))
  const strangers: string[] = []
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word)
    if (next !== undefined) command = next
    for (const { long } of command.options) known.add(long)
    if (word.startsWith('--') && !known.has(word)) strangers.push(`no option ${word}`)
  }
  if (command === program) strangers.push(`no command in "${line}"`)
  return strangers
}

describe('pipes', () => {
  test.each([
    ['show talk', 'show'],
    ['export', 'export'],
    ['list --json', 'list'],
  ])('a reader that has seen enough is no failure: recollect %s | head -1', async (words) => {
    const memory = await openMemory(join(folder(), 'memory.db'))
    const text = 'Bread and butter. '.repeat(40)
    const messages = Array.from({ length: 2000 }, () => ({ role: 'user' as const, content: text }))
    await memory.conversation('talk').record(messages)
    await memory.close()
    const script = `"${process.execPath}" "${MAIN}" ${words} | head -1; echo "codes \${PIPESTATUS[0]}"`
    const env = { ...process.env, RECOLLECT_DB: join(folder(), 'memory.db') }
    const run = spawnSync('bash', ['-c', script], { cwd: folder(), env, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.stdout).toMatch(/codes 0\n$/)
  })

  test('output is coloured on a terminal, but not in a pipe or with NO_COLOR', () => {
    recollect(['record', 'talk', 'Hello'])
    const env = { ...process.env, RECOLLECT_DB: join(folder(), 'memory.db'), TERM: 'xterm' }
    const piped = spawnSync(process.execPath, [MAIN, 'list'], { env, encoding: 'utf8' })
    expect(piped.stdout).not.toContain('\u001b')
    const onTerminal = (extra = {}) =>
      spawnSync('script', ['-qec', `"${process.execPath}" "${MAIN}" list`, '/dev/null'], {
        env: { ...env, ...extra },
        encoding: 'utf8',
      }).stdout
    expect(onTerminal()).toContain('\u001b[2m')
    expect(onTerminal({ NO_COLOR: '1' })).not.toContain('\u001b[2m')
  })
})

// Thirty processes, one after the other: long on a machine that has other things to do.
test('every command that prints supports --json', { timeout: 600_000 }, () => {
  recollect(['record', 'talk', 'I live in Porto and I like long walks along the river.'])
  recollect(['document', 'add', '-', '--name', 'a.md'], '# A\n\nMills turn.')
  const commands = [
    'list',
    'show talk',
    'search porto',
    'recall porto',
    'context talk where',
    'receipts talk',
    'summary talk',
    'topics talk',
    'facts',
    'entities',
    'preferences',
    'notes',
    'stats',
    'jobs',
    'doctor',
    'documents',
    'keys list',
    'page list',
    'prune --dry-run',
    'rebuild',
    'backup copy.db',
    'edit talk --pin',
    'record talk Again',
    'keys create',
    'facts add home Braga',
    'notes add Rain',
    'export --out all.json',
    'import all.json',
    'erase --finish',
    'demo',
  ]
  for (const words of commands) {
    const { out, error, code } = recollect([...words.split(' '), '--json'])
    expect([words, code, error]).toEqual([words, 0, ''])
    expect(() => JSON.parse(out), words).not.toThrow()
  }
  expect(json('stats').conversations).toBe(1)
})

interface Stopped {
  readonly code: number | null
  readonly error: string
}

/** Begins a command, waits for `isUnderWay` and presses Ctrl-C. */
async function stop(
  words: readonly string[],
  isUnderWay: () => boolean | Promise<boolean>,
  input?: string,
): Promise<Stopped> {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    RECOLLECT_DB: join(folder(), 'memory.db'),
  }
  const child = spawn(process.execPath, [MAIN, ...words], { cwd: folder(), env })
  let error = ''
  child.stderr.on('data', (piece) => (error += piece))
  child.stdout.resume()
  if (input !== undefined) child.stdin.write(input)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await expect.poll(isUnderWay, { timeout: 60_000, interval: 10 }).toBe(true)
  child.kill('SIGINT')
  return { code: await ended, error }
}

/** The same at a terminal, with the key itself, once it shows these words. */
async function stopOnTerminal(words: readonly string[], shown: string) {
  const env = { ...process.env, RECOLLECT_DB: join(folder(), 'memory.db') }
  const line = `"${process.execPath}" "${MAIN}" ${words.join(' ')}`
  const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd: folder(), env })
  let printed = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.stdout.on('data', (piece) => {
    const before = printed
    printed += piece
    if (!before.includes(shown) && printed.includes(shown)) child.stdin.write('\u0003')
  })
  return { code: await ended, printed }
}

const lineOf = (id: number) =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: `Loaf ${id}, bread and butter.` },
      { role: 'assistant', content: 'Yes.' },
    ],
  })}\n`

describe('Ctrl-C', () => {
  // Thousands of commits: whether the disk has them is another test.
  beforeEach(() => void vi.stubEnv('RECOLLECT_DURABILITY', 'relaxed'))
  afterEach(() => void vi.unstubAllEnvs())

  const path = () => join(folder(), 'memory.db')
  const look = async <T>(work: (memory: Memory) => Promise<T>): Promise<T> => {
    const memory = await openMemory(path(), { derive: { when: 'never' } })
    return work(memory).finally(() => memory.close())
  }
  const counts = () => look(async (memory) => (await memory.statistics()).conversations)
  const problems = () =>
    look(async (memory) => (await memory.maintenance.check()).filter(({ problem }) => problem !== undefined))

  test('an interrupted import keeps what it has, says how to resume, and the same command resumes', async () => {
    const file = join(folder(), 'talk.jsonl')
    writeFileSync(file, Array.from({ length: 8000 }, (_, id) => lineOf(id)).join(''))
    const stopped = await stop(['import', file], async () => existsSync(path()) && (await counts()) > 20)
    expect(stopped.code).toBe(130)
    expect(stopped.error).toContain('Run the command again to continue')
    expect(await problems()).toEqual([])
    expect(await counts()).toBeLessThan(8000)

    expect(recollect(['import', file]).code).toBe(0)
    expect(json('stats')).toMatchObject({ conversations: 8000, messages: 16_000 })
  })

  test('an interrupted rebuild leaves a valid file, and the next rebuild completes it', async () => {
    const memory = await openMemory(path(), { durability: 'relaxed' })
    for (let i = 0; i < 10; i++)
      await memory.conversation(`c${i}`).record(
        Array.from({ length: 200 }, (_, n) => ({
          role: 'user' as const,
          content: `Loaf ${n} of bread ${i}.`,
        })),
      )
    await memory.close()
    const stopped = await stopOnTerminal(['rebuild'], 'Rebuilding')
    expect([0, 130]).toContain(stopped.code)
    if (stopped.code === 130) expect(stopped.printed).toContain('To finish, run: recollect rebuild')
    expect(await problems()).toEqual([])
    expect(json('rebuild')).toEqual({ problems: [] })
    expect(json('stats').messages).toBe(2000)
  })

  test('an interrupted export leaves no partial file and keeps an existing one', async () => {
    const memory = await openMemory(path(), { durability: 'relaxed' })
    for (let i = 0; i < 40; i++)
      await memory.conversation(`c${i}`).record(
        Array.from({ length: 50 }, (_, n) => ({
          role: 'user' as const,
          content: `Loaf ${n} of bread ${i}.`,
        })),
      )
    await memory.close()
    const out = join(folder(), 'all.json')
    writeFileSync(out, 'good')
    const stopped = await stop(['export', '--out', out], () => existsSync(`${out}.partial`))
    expect(stopped.code).toBe(130)
    expect(stopped.error).toContain('was not written')
    expect(readdirSync(folder()).filter((name) => name.includes('partial'))).toEqual([])
    expect(spawnSync('cat', [out], { encoding: 'utf8' }).stdout).toBe('good')
  })
})

test('a file that cannot be written gives an error that is not reported as a bug', () => {
  recollect(['record', 'talk', 'Hello'])
  const { code, error } = recollect(['export', '--out', join(folder(), 'nowhere/all.json')])
  expect(code).toBe(1)
  expect(error).toContain("can't write")
  expect(error).not.toContain('bug')
})
