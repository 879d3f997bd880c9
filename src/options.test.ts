import { expect, test } from 'vitest'
import { isMemoryError } from './errors.ts'
import { listOptions, type MemoryOptions, optionsFromEnvironment, resolveOptions } from './options.ts'

test('what is left out is filled in', () => {
  const options = resolveOptions({ context: { tailStep: 0 } })
  expect(options.context).toEqual({ window: '128k', tailStep: 0, receiptsKept: 500 })
  expect(options.durability).toBe('full')
})

test('every option has an environment variable made by one rule', () => {
  const variables = Object.fromEntries(listOptions().map(({ path, variable }) => [path, variable]))
  expect(variables['limits.messageBytes']).toBe('RECOLLECT_LIMITS_MESSAGE_BYTES')
  expect(
    optionsFromEnvironment({
      RECOLLECT_LIMITS_TAGS: '5',
      RECOLLECT_DURABILITY: 'relaxed',
      RECOLLECT_CONTEXT_WINDOW: '12k',
      HOME: '/',
    }),
  ).toEqual({
    limits: { tags: 5 },
    durability: 'relaxed',
    context: { window: '12k' },
  })
})

test.each([
  [{ durabilty: 'full' }, 'durabilty'],
  [{ durability: 'off' }, 'full, relaxed'],
  [{ context: { window: '64k' } }, '12k, 128k, 262k'],
  [{ context: { tailStep: 2 } }, 'tailStep'],
  [{ limits: { tags: -1 } }, 'limits.tags'],
  [{ limits: { tags: '5' } }, 'limits.tags'],
  [{ limits: 5 }, 'limits'],
  [{ workspace: '' }, 'workspace'],
])('%o is refused with a hint', (options, mentioned) => {
  try {
    resolveOptions(options as MemoryOptions)
    expect.unreachable()
  } catch (error) {
    expect(isMemoryError(error) && `${error.message} ${error.hint}`).toContain(mentioned)
  }
})
