import { expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'

const { recollect, json } = useCommandLine()

function tell(): void {
  recollect(['record', 'home', 'Our cat is called Figaro, and it hates the violin.'])
  recollect(['record', 'home', 'The roof will be mended in spring.'])
  recollect(['record', 'work', 'The violin of the customer costs 900 euros.'])
}

test('results are shown with rank, score, kind, speaker, time, text and reasons', () => {
  expect(recollect(['recall', 'cat']).error).toContain('no memory at')
  tell()
  const { out, code } = recollect(['recall', 'What', 'is', 'the', 'name', 'of', 'our', 'cat?'])
  expect(code).toBe(0)
  expect(out).toMatch(
    /^ 1 {2}[01]\.\d\d {2}message {2}user · \d{4}-\d\d-\d\d \d\d:\d\d · in home #0 · \S+\n {4}Our cat is called Figaro, and it hates the violin\.\n {4}why: .*has "cat"/,
  )
})

test('--json prints what the library returns', () => {
  tell()
  const answer = json('recall', 'violin')
  expect(answer.question).toEqual({ asked: 'violin' })
  expect(answer.items.map(({ conversationId }: { conversationId: string }) => conversationId).sort()).toEqual(
    expect.arrayContaining(['home', 'work']),
  )
  expect(answer.items[0].why.length).toBeGreaterThan(0)
})

test('results can be limited by conversation, kind, count, budget and time', () => {
  tell()
  const ids = (...words: string[]) =>
    json('recall', 'violin', ...words).items.map(
      ({ conversationId }: { conversationId: string }) => conversationId,
    )
  expect(new Set(ids('--conversation', 'work'))).toEqual(new Set(['work']))
  expect(ids('--limit', '1')).toHaveLength(1)
  expect(ids('--budget', '1')).toEqual([])
  expect(ids('--kinds', 'note,query')).toEqual([])
  expect(ids('--to', '2020-01-01')).toEqual([])
  expect(ids('--as-of', '2020-01-01')).toEqual([])
  expect(ids('--from', '2020-01-01').length).toBeGreaterThan(1)
})

test('a follow-up question shows the rewritten query', () => {
  recollect(['record', 'sales', 'Padaria Central had the highest revenue of all bakeries.'])
  recollect(['record', 'sales', 'Show me the revenue of each bakery'])
  const { out } = recollect(['recall', 'and the top 5?', '--conversation', 'sales'])
  expect(out).toMatch(/^searched as: and the top 5\? \(.*bakery/)
  expect(out).toContain('reason: it is a follow-up')
  expect(out).toContain('Padaria Central')
})

test('if nothing is found, it says what was searched and what to try', () => {
  tell()
  const { out, code } = recollect(['recall', 'zeppelin'])
  expect(code).toBe(0)
  expect(out).toContain('No matches.')
  expect(out).toContain('searched: 3 messages in 2 conversations')
  expect(out).toContain('for: "zeppelin" (in no message)')
  expect(out).toContain('recollect search "vio*"')
  expect(recollect(['recall', 'zeppelin', '--conversation', 'home']).out).toMatch(
    /searched: the conversation home[\s\S]*or search all conversations/,
  )
  expect(recollect(['recall', 'What is it?']).out).toContain('for: no distinctive words')
})

test('it explains what was found, what was not, and why', () => {
  tell()
  const [roof] = json('show', 'home').messages.filter(({ content }: { content: string }) =>
    /roof/.test(content),
  )
  const { out } = recollect(['recall', 'violin', '--explain', roof.id])
  expect(out).toContain('Words searched for, rarest first: "violin"')
  expect(out).toContain(`The message ${roof.id}`)
  expect(recollect(['recall', 'violin', '--explain']).out).toContain('1. message')
  expect(json('recall', 'violin', '--explain').lines.length).toBeGreaterThan(1)
})

test('a long text is truncated to the line, and control characters are removed', () => {
  recollect(['record', 'home', `A violin \u001b[31mred\u001b[0m\u0007 ${'and so on '.repeat(60)}`])
  const { out } = recollect(['recall', 'violin'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(124)
})

test('mistakes give errors with hints', () => {
  tell()
  expect(recollect(['recall'])).toMatchObject({ code: 2 })
  expect(recollect(['recall', ' '])).toMatchObject({
    code: 1,
    error: expect.stringContaining('not be empty'),
  })
  expect(recollect(['recall', 'cat', '--kinds', 'rumour'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('message, summary, fact'),
  })
  expect(recollect(['recall', 'cat', '--conversation', 'nowhere'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('recollect list'),
  })
  expect(recollect(['recall', 'cat', '--from', 'May'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('2026-05-01'),
  })
  expect(recollect(['recall', '--help']).out).toContain('recollect recall What is the name of our cat?')
})
