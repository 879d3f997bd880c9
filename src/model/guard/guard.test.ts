import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { MemoryError } from '../../domain/errors.ts'
import { CallFailure } from '../network/call-failure.ts'
import { CallCounter, Guard, type GuardOptions } from './guard.ts'

const OPTIONS: GuardOptions = {
  timeoutMs: 1000,
  retries: 2,
  retryWaitMs: 100,
  longestWaitMs: 5000,
  concurrency: 2,
  circuitFailures: 100,
  circuitRestMs: 10_000,
}

function setUp(options: Partial<GuardOptions> = {}) {
  const clock = fakeClock()
  return { clock, guard: new Guard({ what: 'the model' }, { ...OPTIONS, ...options }, clock) }
}

const never = (): Promise<never> => new Promise(() => undefined)

const failing = (status: number, retryAfterMs?: number) => async (): Promise<never> => {
  throw new CallFailure('status', 'no', { status, retryAfterMs })
}

/** Fails a few times, then succeeds. */
function failingFirst(times: number, failure: () => Promise<never>) {
  const calls: number[] = []
  const work = async () => {
    calls.push(calls.length)
    return calls.length <= times ? failure() : 'answer'
  }
  return { work, calls }
}

test.each([408, 409, 425, 429, 500, 502, 503, 529])('%i is retried', async (status) => {
  const { clock, guard } = setUp()
  const { work, calls } = failingFirst(2, failing(status))
  const answer = guard.run(work)
  await clock.advance(10_000)
  await expect(answer).resolves.toBe('answer')
  expect(calls).toHaveLength(3)
})

test.each([400, 401, 403, 404, 413, 422])('%i is not retried', async (status) => {
  const { guard } = setUp()
  const { work, calls } = failingFirst(1, failing(status))
  await expect(guard.run(work)).rejects.toMatchObject({ code: 'model-failed' })
  expect(calls).toHaveLength(1)
})

test('calls are counted, including failed tries and calls that were given up', async () => {
  const tally = new CallCounter()
  const { clock, guard } = setUp({ tally })
  const answers = [
    guard.run(failingFirst(2, failing(500)).work),
    guard.run(failing(401)),
    guard.run(async () => 'answer'),
  ]
  const settled = Promise.allSettled(answers)
  await clock.advance(10_000)
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(tally).toMatchObject({ calls: 3, failures: 3, givenUp: 1 })
})

test('delays double, with random jitter', async () => {
  const { clock, guard } = setUp({ retries: 3 })
  const { work, calls } = failingFirst(3, failing(500))
  const answer = guard.run(work)
  // A random value of 0.5 gives three quarters of 100, 200 and 400.
  for (const [passed, tries] of [
    [74, 1],
    [1, 2],
    [149, 2],
    [1, 3],
    [299, 3],
    [1, 4],
  ] as const) {
    await clock.advance(passed)
    expect(calls).toHaveLength(tries)
  }
  await expect(answer).resolves.toBe('answer')
})

test('a Retry-After of the server is respected', async () => {
  const { clock, guard } = setUp()
  const { work, calls } = failingFirst(1, failing(429, 3000))
  const answer = guard.run(work)
  await clock.advance(2999)
  expect(calls).toHaveLength(1)
  await clock.advance(1)
  await expect(answer).resolves.toBe('answer')
})

test('a Retry-After beyond the limit fails the call at once', async () => {
  const { guard } = setUp()
  const { work, calls } = failingFirst(1, failing(429, 60_000))
  await expect(guard.run(work)).rejects.toThrow('the model failed with 429')
  expect(calls).toHaveLength(1)
})

test('a model that neither answers nor reacts to its signal times out', async () => {
  const { clock, guard } = setUp({ retries: 0 })
  const answer = guard.run(() => never())
  const outcome = expect(answer).rejects.toMatchObject({
    message: 'the model failed: no response within 1 s',
    hint: 'raise models.timeoutMs, or use a smaller model',
  })
  await clock.advance(1000)
  await outcome
})

test('each try has its own timeout and its own signal', async () => {
  const { clock, guard } = setUp({ retries: 1 })
  const signals: AbortSignal[] = []
  const answer = guard.run((signal) => {
    signals.push(signal)
    return signals.length === 1 ? never() : Promise.resolve('answer')
  })
  await clock.advance(1075)
  await expect(answer).resolves.toBe('answer')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('the caller can abort: while queued, during a call and between tries', async () => {
  const { clock, guard } = setUp({ concurrency: 1 })
  const reason = new Error('enough')
  const controller = new AbortController()
  const held = guard.run(() => never(), controller.signal)
  const waiting = guard.run(async () => 'never', controller.signal)
  await clock.advance(10)
  controller.abort(reason)
  await expect(held).rejects.toBe(reason)
  await expect(waiting).rejects.toBe(reason)

  const second = new AbortController()
  const retrying = guard.run(failing(500), second.signal)
  await clock.advance(10)
  second.abort(reason)
  await expect(retrying).rejects.toBe(reason)
  await expect(guard.run(async () => 'free again')).resolves.toBe('free again')
})

test('after consecutive failures, calls are rejected at once, then one is let through', async () => {
  const { clock, guard } = setUp({ retries: 0, circuitFailures: 3 })
  const { work, calls } = failingFirst(3, failing(503))
  for (let i = 0; i < 3; i++) await expect(guard.run(work)).rejects.toThrow('503')
  await expect(guard.run(work)).rejects.toMatchObject({
    code: 'model-failed',
    message: 'the model rests after failing repeatedly; the last time: no',
    hint: 'it is tried again in 10 s; built-in means answer meanwhile',
  })
  expect(calls).toHaveLength(3)
  await clock.advance(10_000)
  const both = await Promise.allSettled([guard.run(work), guard.run(work)])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await expect(guard.run(work)).resolves.toBe('answer')
})

test('if the circuit opens during a call, the call is not retried', async () => {
  const { guard } = setUp({ retries: 5, circuitFailures: 1 })
  const { work, calls } = failingFirst(9, failing(500))
  await expect(guard.run(work)).rejects.toThrow('500')
  expect(calls).toHaveLength(1)
})

test('rejected requests do not open the circuit: the server is healthy', async () => {
  const { guard } = setUp({ circuitFailures: 2 })
  for (let i = 0; i < 5; i++) await expect(guard.run(failing(400))).rejects.toThrow('400')
  await expect(guard.run(async () => 'answer')).resolves.toBe('answer')
})

test('a rejection between failures is a response: they are not consecutive', async () => {
  const { guard } = setUp({ retries: 0, circuitFailures: 2 })
  for (const status of [500, 400, 500])
    await expect(guard.run(failing(status))).rejects.toThrow(String(status))
  await expect(guard.run(async () => 'answer')).resolves.toBe('answer')
})

test('no timer is left after a call, so that the process can exit', async () => {
  const { clock, guard } = setUp({ retries: 1 })
  await guard.run(async () => 'answer')
  await read(guard.stream(() => pieces('a', 'b')))
  const failed = guard.run(failing(500)).catch(() => 'failed')
  await clock.advance(1000)
  expect(await failed).toBe('failed')
  expect(clock.waiting()).toBe(0)
})

test('a MemoryError is passed on unchanged', async () => {
  const { guard } = setUp()
  const error = new MemoryError('missing-dependency', 'no package')
  await expect(guard.run(() => Promise.reject(error))).rejects.toBe(error)
})

test('an error thrown by a model object is a model failure, with the error as the cause', async () => {
  const { guard } = setUp()
  const cause = new TypeError('undefined is not a function')
  await expect(guard.run(() => Promise.reject(cause))).rejects.toMatchObject({ code: 'model-failed', cause })
})

async function* pieces(...steps: readonly (string | CallFailure | number)[]): AsyncGenerator<string> {
  for (const step of steps) {
    if (step instanceof CallFailure) throw step
    if (typeof step === 'number') await never()
    else yield step
  }
}

async function read(stream: AsyncIterable<string>): Promise<{ got: string[]; error?: unknown }> {
  const got: string[] = []
  try {
    for await (const piece of stream) got.push(piece)
    return { got }
  } catch (error) {
    return { got, error }
  }
}

const CUT = new CallFailure('unreachable', 'cut off')

test('a stream that fails before its first chunk is restarted', async () => {
  const { clock, guard } = setUp()
  const tries = [pieces(CUT), pieces('a', 'b')]
  const outcome = read(guard.stream(() => tries.shift() as AsyncGenerator<string>))
  await clock.advance(1000)
  expect(await outcome).toEqual({ got: ['a', 'b'] })
})

test('a stream that fails later is not restarted: its text would appear twice', async () => {
  const { guard } = setUp()
  const { got, error } = await read(guard.stream(() => pieces('a', CUT)))
  expect(got).toEqual(['a'])
  expect(error).toMatchObject({ code: 'model-failed', message: 'the model failed: cut off' })
})

test('a stream that stalls times out', async () => {
  const { clock, guard } = setUp()
  const outcome = read(guard.stream(() => pieces('a', 0)))
  await clock.advance(1000)
  expect((await outcome).error).toMatchObject({ message: 'the model failed: no response within 1 s' })
})

test('a stream holds its slot until it ends or is closed', async () => {
  const { guard } = setUp({ concurrency: 1 })
  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield 'a'
    } finally {
      isEnded = true
    }
  }
  for await (const _ of guard.stream(() => endless())) break
  await expect(guard.run(async () => 'next')).resolves.toBe('next')
  expect(isEnded).toBe(true)
})
