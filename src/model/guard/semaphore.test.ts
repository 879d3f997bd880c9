import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Semaphore } from './circuit-breaker.ts'

test('never more than the limit at once, and all get through in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
      async (atOnce, turns) => {
        const slots = new Semaphore(atOnce)
        const entered: number[] = []
        let held = 0
        await Promise.all(
          turns.map(async (length, i) => {
            const release = await slots.take()
            entered.push(i)
            held++
            expect(held).toBeLessThanOrEqual(atOnce)
            for (let turn = 0; turn < length; turn++) await Promise.resolve()
            held--
            release()
            release()
          }),
        )
        expect(entered).toEqual([...turns.keys()])
      },
    ),
  )
})

test('a waiting caller that aborts gets no slot and holds none', async () => {
  const slots = new Semaphore(1)
  const release = await slots.take()
  const controller = new AbortController()
  const impatient = slots.take(controller.signal)
  const patient = slots.take()
  controller.abort(new Error('enough'))
  await expect(impatient).rejects.toThrow('enough')
  release()
  await expect(patient).resolves.toBeTypeOf('function')
})
