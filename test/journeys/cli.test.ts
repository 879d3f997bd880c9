import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { conversationId, workspaceId } from '../../src/domain/ids.ts'
import { useCommandLine } from '../support/command-line.ts'
import { openStore } from '../support/sqlite-file.ts'

const { recollect, json, folder } = useCommandLine()

describe('the command line', () => {
  test('the demo records messages, shows a valid context with its receipt, and finds them on the next run', () => {
    const first = recollect(['demo'])
    expect(first.code).toBe(0)
    expect(first.out).toContain('Recorded 8 messages')
    expect(first.out).toContain('0 problems')
    expect(first.out).toContain(join(folder(), 'recollect-demo.db'))
    expect(recollect(['demo']).out).toContain('Found 8 messages from an earlier run')
  })

  test('a conversation is recorded, listed, shown, found and turned into a context', () => {
    expect(recollect(['record', 'trip', 'We are in Lisbon in May', '--name', 'Ana']).code).toBe(0)
    expect(recollect(['record', 'trip', '--role', 'assistant'], 'How nice!\n').code).toBe(0)
    expect(recollect(['list']).out).toMatch(/2 +trip +Lisbon in May/)
    expect(recollect(['show', 'trip']).out).toMatch(/Ana #0 .*\nWe are in Lisbon in May\n/)
    expect(recollect(['search', 'lis']).out).toContain('We are in Lisbon in May')
    expect(recollect(['search', 'porto']).out).toBe('No results.\n')
    const context = recollect([
      'context',
      'trip',
      'Where',
      'to',
      'eat?',
      '--budget',
      '200',
      '--system',
      'Be kind.',
    ])
    expect(context.out).toMatch(
      /system +Be kind\.\nAna +We are in Lisbon in May\nassistant +How nice!\nuser +Where to eat\?/,
    )
    expect(context.out).toMatch(/of 200 tokens/)
    expect(recollect(['receipts', 'trip']).out).toContain('after 2 messages')
    const [system] = JSON.parse(
      recollect(['context', 'trip', '--provider', 'openai', '--system', 'Be kind.']).out,
    )
    expect(system).toEqual({ role: 'system', content: 'Be kind.' })
  })

  test('a context shows what is remembered, and what changed since the last one', () => {
    recollect(['record', 'about-me', 'I live in Porto. Always answer in German.'])
    recollect(['record', 'trip', 'We are in Lisbon in May'])
    const first = recollect(['context', 'trip', 'Where to eat?', '--diff'])
    expect(first.code).toBe(1)
    expect(first.error).toContain('no earlier context to compare with')
    const shown = recollect(['context', 'trip', 'Where to eat?', '--budget', '900'])
    expect(shown.out).toMatch(/How the user wants to be answered:\n +- Always answer in German/)
    expect(shown.out).toMatch(
      /memory +\d+ █+░* of \d+ +instructions, preferences and facts for any question\n +\d+ instruction \w+ a standing instruction\n/,
    )
    recollect(['record', 'trip', '--role', 'assistant', 'At home.'])
    const diff = recollect(['context', 'trip', 'And then?', '--no-memory', '--diff', '2'])
    expect(diff.out).toMatch(/memory +\d+ → +0 +−\d+/)
    expect(diff.out).toMatch(/removed +from memory: fact \w+ \d+ tokens/)
    expect(json('context', 'trip', 'And then?', '--diff')).toMatchObject({
      sections: expect.arrayContaining([
        { section: 'memory', beforeTokens: 0, afterTokens: expect.any(Number) },
      ]),
      prefix: { brokenAt: 'memory' },
    })
  })

  test('messages are imported as JSON lines, and importing them again adds nothing', () => {
    const lines = [1, 2, 3]
      .map((i) => JSON.stringify({ id: `m${i}`, role: 'user', content: `line ${i}` }))
      .join('\n')
    expect(recollect(['record', 'chat', '--jsonl'], lines).code).toBe(0)
    expect(recollect(['record', 'chat', '--jsonl'], lines).code).toBe(0)
    expect(json('stats').messages).toBe(3)
    const broken = recollect(['record', 'chat', '--jsonl'], '{"role":"user","content":"x"}\n{oops')
    expect(broken.code).toBe(1)
    expect(broken.error).toContain('line 2 is not valid JSON')
  })

  test('a conversation is edited, forked and pruned', () => {
    const [{ id }] = json('record', 'chat', 'A plan for the garden', '--at', '2020-01-01T00:00:00Z')
    expect(recollect(['edit', 'chat'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('no changes given'),
    })
    recollect(['edit', 'chat', '--title', 'Garden', '--tag', 'home', '--pin'])
    expect(json('list', '--pinned').items[0]).toMatchObject({
      title: 'Garden',
      tags: ['home'],
      isPinned: true,
    })
    expect(json('fork', 'chat', id, '--id', 'fork')).toMatchObject({ id: 'fork', messageCount: 1 })
    expect(recollect(['prune', '--dry-run']).out).toContain('1 conversation would be archived')
    recollect(['edit', 'chat', '--no-pin'])
    expect(json('prune').conversations).toHaveLength(2)
    expect(recollect(['list']).out).toContain('No conversations yet')
    recollect(['edit', 'chat', '--no-archive'])
    expect(json('list').items).toHaveLength(1)
  })

  test('everything is exported, imported elsewhere, backed up and rebuilt', () => {
    recollect(['record', 'chat', 'Tea in the garden'])
    expect(recollect(['export', '--out', 'all.json']).out).toBe('Wrote all.json\n')
    expect(recollect(['export', 'chat', '--format', 'markdown']).out).toContain('# Tea in the garden')
    expect(recollect(['--db', 'copy.db', 'import', 'all.json']).out).toContain(
      'Imported 1 conversation and 1 message',
    )
    expect(
      recollect(['--db', 'copy.db', 'import', '-'], readFileSync(join(folder(), 'all.json'), 'utf8')).out,
    ).toContain('1 item already imported')
    expect(recollect(['backup', 'backup.db']).code).toBe(0)
    expect(recollect(['--db', 'backup.db', 'search', 'garden']).out).toContain('Tea in the garden')
    expect(recollect(['backup', 'backup.db']).error).toContain('exists already')
    expect(recollect(['rebuild']).out).toContain('No problems found')
  })

  test('text is permanently erased, but only after confirmation', () => {
    const [{ id }] = json('record', 'chat', 'My secret is xyzzyplugh')
    const asked = recollect(['erase', '--message', id])
    expect(asked.code).toBe(1)
    expect(asked.error).toContain('--yes')
    expect(recollect(['erase', '--message', id, '--yes']).out).toContain('Nothing of it remains')
    expect(readFileSync(join(folder(), 'memory.db')).includes('xyzzyplugh')).toBe(false)
    expect(recollect(['erase', '--conversation', 'chat', '--yes']).out).toContain(
      'Erased 1 message in 1 conversation',
    )
    expect(recollect(['erase', '--finish']).out).toContain('Nothing of it remains')
    expect(recollect(['erase', '--yes']).error).toContain('choose one thing to erase')
  })

  test('doctor accepts a valid file and has a distinct exit code for a damaged one', () => {
    recollect(['record', 'chat', 'Tea'])
    const sound = recollect(['doctor'])
    expect(sound.code).toBe(0)
    expect(sound.out).not.toContain('✗')
    writeFileSync(join(folder(), 'broken.db'), 'this is no database, however long it may be '.repeat(100))
    const broken = recollect(['--db', 'broken.db', 'doctor'])
    expect(broken.code).toBe(1)
    expect(broken.error).toContain('damaged or not a Recollect file')
  })

  test('stats show derived items and pending jobs; doctor shows why a job failed for good', async () => {
    recollect(['record', 'chat', 'Tea'])
    expect(recollect(['stats']).out).toMatch(/^topics +1$(?:.|\n)*jobs +0 waiting, 0 running$/m)
    const store = await openStore({ path: join(folder(), 'memory.db') })
    const key = { workspace: workspaceId('default'), conversation: conversationId('chat') }
    const jobs = ['a', 'b'].map((kind) => ({ kind, key: kind, body: {} }))
    await store.addJobs(key, jobs, new Date())
    const ticket = { id: 1, lease: 'mine' }
    await store.claimJob({ now: new Date(), lease: 'mine', leaseMs: 1000 })
    await store.failJob(ticket, { error: 'the model does not answer' })
    await store.close()
    expect(recollect(['stats']).out).toContain('1 waiting, 0 running, 1 failed (see recollect jobs --dead)')
    expect(json('stats')).toMatchObject({ topics: 1, edits: 0, waitingJobs: 1, deadJobs: 1 })
    const doctor = recollect(['doctor'])
    expect(doctor.code).toBe(3)
    expect(doctor.out).toContain('failed too often: the model does not answer\n  → fix the cause, then run')
  })

  test('mistakes give helpful errors', () => {
    expect(recollect(['list'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('no memory at'),
    })
    expect(existsSync(join(folder(), 'memory.db'))).toBe(false)
    expect(recollect(['lits'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('Did you mean list?'),
    })
    expect(recollect(['record', 'chat', 'x', '--importance', '7'])).toMatchObject({ code: 2 })
    recollect(['record', 'chat', 'hello'])
    expect(recollect(['show', 'caht'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('recollect list'),
    })
    expect(recollect(['context', 'chat', '--budget', '5'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('too many'),
    })
    expect(recollect(['--verbose', 'show', 'caht']).error).toMatch(/at .*with-memory/)
    expect(recollect(['--help']).code).toBe(0)
  })
})
