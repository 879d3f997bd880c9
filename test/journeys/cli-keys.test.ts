import { expect, test } from 'vitest'
import { useCommandLine } from '../support/command-line.ts'

const { recollect, json } = useCommandLine()

test('keys are created, listed for all workspaces or one, and deleted', () => {
  const mine = json('keys', 'create', '--name', 'web app')
  expect(mine).toMatchObject({ workspace: 'default', scope: 'write', name: 'web app' })
  const theirs = json('--workspace', 'team', 'keys', 'create', '--scope', 'read')
  expect(theirs).toMatchObject({ workspace: 'team', scope: 'read' })

  expect(json('keys', 'list').map(({ id }: { id: string }) => id)).toEqual([mine.id, theirs.id])
  expect(json('--workspace', 'team', 'keys', 'list')).toHaveLength(1)
  const shown = recollect(['keys', 'list']).out
  expect(shown).toContain('web app')
  expect(shown).toContain('never')
  expect(shown).not.toContain(mine.key.slice(-43))

  expect(recollect(['keys', 'revoke', theirs.id]).out).toContain('Revoked the key')
  expect(json('keys', 'list')).toHaveLength(1)
  const again = recollect(['keys', 'revoke', theirs.id])
  expect(again).toMatchObject({ code: 1 })
  expect(again.error).toContain('recollect keys list')
})

test('a new key is shown once, with instructions', () => {
  const { out } = recollect(['keys', 'create', '--scope', 'admin'])
  expect(out).toMatch(/recollect_[0-9a-z]{26}_[\w-]{43}/)
  expect(out).toContain('Authorization: Bearer')
  expect(recollect(['keys', 'create', '--scope', 'owner'])).toMatchObject({ code: 2 })
})
