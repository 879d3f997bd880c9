// A chat on the command line: in a pipe, as JSON, and at a terminal with the keys that people press there.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ScriptedServer } from '../../src/model/scripted/testing.ts'
import { useCommandLine } from '../support/command-line.ts'
import { scriptedServer } from '../support/scripted-models.ts'

const { recollect, json, folder } = useCommandLine()
const MAIN = join(import.meta.dirname, '../../dist/cli/main.js')

// The machine that runs the tests may have a model.
beforeAll(() => void vi.stubEnv('RECOLLECT_OLLAMA', 'off'))
afterAll(() => void vi.unstubAllEnvs())

const modelAt = ({ url }: ScriptedServer): Readonly<Record<string, string>> => ({
  RECOLLECT_MODELS_CHAT_URL: `${url}/v1`,
  RECOLLECT_MODELS_CHAT_MODEL: 'scripted',
})

interface Started {
  readonly printed: () => string
  readonly type: (text: string) => void
  /** Waits until a text was shown a number of times. */
  readonly shown: (text: string, times?: number) => Promise<void>
  readonly ended: Promise<number | null>
}

function start(command: string, words: readonly string[], env: Readonly<Record<string, string>>): Started {
  const child = spawn(command, words, {
    cwd: folder(),
    env: { ...process.env, NO_COLOR: '1', RECOLLECT_DB: join(folder(), 'memory.db'), TERM: 'xterm', ...env },
  })
  let printed = ''
  child.stdout.on('data', (piece) => (printed += piece))
  child.stderr.on('data', (piece) => (printed += piece))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    printed: () => printed,
    type: (text) => void child.stdin.write(text),
    shown: (text, times = 1) =>
      expect.poll(() => printed.split(text).length - 1, { timeout: 60_000 }).toBeGreaterThanOrEqual(times),
    ended,
  }
}

/** A chat in a pseudo terminal. */
const onTerminal = (env: Readonly<Record<string, string>> = {}): Started =>
  start('script', ['-qefc', `"${process.execPath}" "${MAIN}" chat --conversation trip`, '/dev/null'], env)

describe('in a pipe', () => {
  test('without a model it answers from memory, says so, and records both messages', () => {
    recollect(['record', 'trip', 'We are in Lisbon in May, at the hotel Tejo.'])
    const { out, error, code } = recollect(
      ['chat', '--conversation', 'trip'],
      'In which hotel are we in Lisbon?\n',
    )
    expect(code).toBe(0)
    expect(out).toContain('No language model is connected')
    expect(out).toContain('at the hotel Tejo')
    expect(error).toContain('no language model is connected')
    expect(json('show', 'trip').messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'user',
      'assistant',
    ])
  })

  test('the whole input is one message, and lines with a slash are commands', () => {
    const input =
      'We are in Lisbon.\nI am vegetarian.\n\n/topics\n/facts\n/search lisbon\n/help\n/quit\nNever read.\n'
    const { out, code } = recollect(['chat'], input)
    expect(code).toBe(0)
    expect(out).toContain('half-life')
    expect(out).toContain('diet: vegetarian')
    expect(out).toMatch(/chat #0/)
    expect(out).toContain('/open <id>')
    const [said, answer, ...more] = json('show', 'chat').messages
    expect([said.content, answer.role, more]).toEqual([
      'We are in Lisbon.\nI am vegetarian.',
      'assistant',
      [],
    ])
  })

  test('with --json, every event and every command result is one line', () => {
    const { out } = recollect(['chat', '--json'], 'I live in Porto.\n/why\n/memory\n/new\nHello\n')
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const types = lines.flatMap(({ type }) => type ?? [])
    expect(types).toEqual([
      ...['recorded', 'remembered', 'notice', 'text', 'answered'],
      ...['recorded', 'remembered', 'notice', 'text', 'answered'],
    ])
    expect(lines.find(({ receipt, type }) => type === undefined && receipt)).toBeDefined()
    const begun = lines.find(({ conversation }) => conversation !== undefined)
    expect(begun.conversation).toMatch(/^chat-\d{4}-\d\d-\d\d-\d{6}$/)
    expect(lines.at(-1).message.conversationId).toBe(begun.conversation)
  })

  test('a missing conversation is not opened', () => {
    const { error, code } = recollect(['chat'], '/open nowhere\n/memory\n')
    expect(code).toBe(0)
    expect(error).toContain('No conversation "nowhere"')
  })

  test('empty input gets no answer', () => {
    expect(recollect(['chat'], '\n')).toMatchObject({ code: 0, out: '' })
  })

  test('a model streams its answer and gets the earlier messages', async () => {
    const server = await scriptedServer({ text: '{"question":"unchanged"}' }, { text: ['At the ', 'Tejo.'] })
    recollect(['record', 'trip', 'Our hotel in Lisbon is the Tejo.'])
    const chat = start(process.execPath, [MAIN, 'chat', '--conversation', 'trip'], modelAt(server))
    chat.type('Which hotel?\n/quit\n')
    expect(await chat.ended).toBe(0)
    expect(chat.printed()).toContain('At the Tejo.')
    expect(JSON.stringify(server.requests[1]?.body)).toContain('Our hotel in Lisbon is the Tejo.')
  })
})

describe('at a terminal', () => {
  test('questions, commands, history and exit work', async () => {
    const chat = onTerminal()
    await chat.shown('you ›')
    chat.type('My sister Ana lives in Porto.\r')
    await chat.shown('Saved.')
    chat.type('/facts\r')
    await chat.shown('since')
    chat.type('/nonsense\r')
    await chat.shown('Unknown command /nonsense')
    chat.type('\u001b[A\u001b[A\u001b[A\r') // up, up, up: the question again
    await chat.shown('Saved.', 2)
    chat.type('/quit\r')
    expect(await chat.ended).toBe(0)
    expect(json('show', 'trip').messages).toHaveLength(4)
  })

  test('pasted text is one message, however many lines it has', async () => {
    const chat = onTerminal()
    await chat.shown('you ›')
    chat.type('\u001b[200~First line.\rSecond line.\rThird line.\u001b[201~')
    chat.type(' The end.\r')
    await chat.shown('Saved.')
    chat.type('With a backslash\\\rit goes on.\r')
    await chat.shown('Saved.', 2)
    chat.type('\u0004')
    expect(await chat.ended).toBe(0)
    expect(json('show', 'trip').messages.map(({ content }: { content: string }) => content)).toEqual([
      'First line.\nSecond line.\nThird line. The end.',
      expect.any(String),
      'With a backslash\nit goes on.',
      expect.any(String),
    ])
  })

  test('Ctrl-C stops the answer and keeps it, then empties the line, then leaves', async () => {
    const pieces = Array.from({ length: 200 }, (_, i) => `word${i} `)
    const server = await scriptedServer({ text: pieces, pieceDelayMs: 50 })
    const chat = onTerminal(modelAt(server))
    await chat.shown('you ›')
    chat.type('Tell me a long story.\r')
    await chat.shown('word3')
    chat.type('\u0003')
    await chat.shown('stopped, the partial answer is saved')
    chat.type('half a question')
    await chat.shown('half a question')
    chat.type('\u0003')
    await chat.shown('you ›', 3)
    chat.type('\u0003')
    expect(await chat.ended).toBe(0)
    const [, answer, ...more] = json('show', 'trip').messages
    expect(answer.content).toContain('word3')
    expect(answer.content).not.toContain('word199')
    expect(answer.metadata.recollect.ending).toBe('stopped')
    expect(more).toEqual([])
  })
})
