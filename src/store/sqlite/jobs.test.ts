// Model-based test: whatever happens to jobs, in any order, the store behaves like a plain list that is searched in
// full each time.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commit, readingOf } from '../../../conformance/store/derived-samples.ts'
import { aKey, append, at, HERE, many } from '../../../conformance/store/samples.ts'
import { effort } from '../../../test/support/effort.ts'
import { openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import type { JobTicket } from '../jobs.ts'
import type { Finding, Store } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

interface ModelJob {
  readonly key: string
  readonly line: string
  readonly id: number
  state: 'waiting' | 'running' | 'dead'
  failures: number
  runAt: number
  /** End of the lease, while it is held. */
  until: number
  lease?: string
}

const LEASE = 10
const CONVERSATIONS = ['c0', 'c1']
const KINDS = ['sum-up', 'title']
const KEYS = ['a', 'b', 'c']

/** The model, a plain list. Times are in minutes. */
class Model {
  jobs: ModelJob[] = []
  #added = 0

  add(line: string, key: string, now: number): void {
    const known = this.jobs.filter((job) => job.line === line && job.key === key)
    if (known.some(({ state }) => state === 'waiting')) return
    this.jobs = this.jobs.filter((job) => !(known.includes(job) && job.state === 'dead'))
    this.jobs.push({ key, line, id: ++this.#added, state: 'waiting', failures: 0, runAt: now, until: 0 })
  }

  /** The jobs whose turn it is, by the time they can be claimed. */
  turns(): { job: ModelJob; dueAt: number }[] {
    const live = this.jobs.filter(({ state }) => state !== 'dead')
    const isFirst = (job: ModelJob) =>
      job.state === 'running' ||
      !live.some((other) => other.line === job.line && (other.state === 'running' || other.id < job.id))
    return live
      .filter(isFirst)
      .map((job) => ({ job, dueAt: job.state === 'running' ? job.until : job.runAt }))
      .toSorted((a, b) => a.dueAt - b.dueAt || a.job.id - b.job.id)
  }

  claim(now: number, lease: string): ModelJob | undefined {
    const [first] = this.turns()
    if (first === undefined || first.dueAt > now) return undefined
    const { job } = first
    if (job.state === 'running') job.failures += 1
    Object.assign(job, { state: 'running', lease, until: now + LEASE })
    return job
  }

  held({ id, lease }: JobTicket): ModelJob | undefined {
    return this.jobs.find((job) => job.id === id && job.lease === lease && job.state === 'running')
  }

  end(job: ModelJob, state: 'waiting' | 'dead', runAt = job.runAt): void {
    Object.assign(job, { state, runAt, lease: undefined })
  }
}

const wait = fc.nat(15)
const step = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      conversation: fc.constantFrom(0, 0, 0, 1),
      kind: fc.constantFrom(0, 0, 0, 1),
      key: fc.nat(2),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ do: fc.constant('claim' as const), wait }), weight: 5 },
  {
    arbitrary: fc.record({
      do: fc.constantFrom('finish' as const, 'release' as const, 'give up' as const, 'give up' as const),
      ticket: fc.nat(3),
    }),
    weight: 3,
  },
  fc.record({ do: fc.constant('fail' as const), ticket: fc.nat(3), wait }),
  { arbitrary: fc.record({ do: fc.constant('revive' as const) }), weight: 2 },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

class Run {
  readonly model = new Model()
  readonly #store: Store
  readonly #tickets: JobTicket[] = []
  #now = 0
  #leases = 0

  constructor(store: Store) {
    this.#store = store
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'add') return this.#add(step)
    if (step.do === 'claim') return this.#claim(step.wait)
    if (step.do === 'revive') return this.#revive()
    // Newest tickets first; some of them have expired.
    const ticket = this.#tickets.at(-1 - step.ticket)
    if (ticket !== undefined) await this.#end(step, ticket)
  }

  async #add(step: Extract<Step, { do: 'add' }>): Promise<void> {
    const [conversation = '', kind = '', key = ''] = [
      CONVERSATIONS[step.conversation],
      KINDS[step.kind],
      KEYS[step.key],
    ]
    this.model.add(`${conversation} ${kind}`, key, this.#now)
    await this.#store.addJobs(aKey(conversation), [{ kind, key, body: {} }], at(this.#now))
  }

  async #claim(minutes: number): Promise<void> {
    this.#now += minutes
    const lease = `lease ${this.#leases++}`
    const expected = this.model.claim(this.#now, lease)
    const claimed = await this.#store.claimJob({ now: at(this.#now), lease, leaseMs: LEASE * 60_000 })
    expect(claimed?.id).toBe(expected?.id)
    if (claimed !== undefined) this.#tickets.push({ id: claimed.id, lease })
  }

  async #revive(): Promise<void> {
    const dead = this.model.jobs.filter(({ state }) => state === 'dead')
    for (const job of dead) Object.assign(job, { state: 'waiting', failures: 0, runAt: this.#now })
    expect(await this.#store.reviveJobs(HERE, at(this.#now))).toBe(dead.length)
  }

  async #end(step: Exclude<Step, { do: 'add' | 'claim' | 'revive' }>, ticket: JobTicket): Promise<void> {
    const held = this.model.held(ticket)
    const runAt = step.do === 'fail' ? this.#now + step.wait : undefined
    expect(await this.#tell(step, ticket, runAt)).toBe(held !== undefined)
    if (held === undefined) return
    if (step.do === 'finish') this.model.jobs = this.model.jobs.filter((job) => job !== held)
    else {
      if (step.do !== 'release') held.failures += 1
      this.model.end(held, step.do === 'give up' ? 'dead' : 'waiting', runAt)
    }
  }

  #tell(step: Step, ticket: JobTicket, runAt: number | undefined): Promise<boolean> {
    if (step.do === 'finish') return this.#store.finishJob(ticket)
    if (step.do === 'release') return this.#store.releaseJob(ticket)
    return this.#store.failJob(ticket, { error: 'no', ...(runAt !== undefined && { runAt: at(runAt) }) })
  }

  async compare(): Promise<void> {
    const jobs = await this.#store.jobs({ workspace: HERE, limit: 1000 })
    expect(jobs.map(({ id, key, state, failures, runAt }) => [id, key, state, failures, runAt])).toEqual(
      this.model.jobs.toReversed().map((job) => [job.id, job.key, job.state, job.failures, at(job.runAt)]),
    )
    const [first] = this.model.turns()
    expect(await this.#store.nextJobAt()).toEqual(first && at(first.dueAt))
  }

  async findProblems(): Promise<readonly Finding[]> {
    const findings = await this.#store.check()
    return findings.filter(
      ({ check, problem }) => problem !== undefined && check !== 'no job failed for good',
    )
  }
}

test('jobs are claimed, finished, given up and revived as in a plain list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const store = await openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })
      for (const conversation of CONVERSATIONS)
        await append(store, aKey(conversation), { messages: many(conversation, 1) })
      const run = new Run(store)
      for (const next of steps) {
        await run.take(next)
        await run.compare()
      }
      expect(await run.findProblems()).toEqual([])
      await store.close()
    }),
    { numRuns: effort({ short: 37, long: 150 }) },
  )
})

test('processes that share a file claim every job once, and only one of them commits', async () => {
  const path = temporaryPath()
  const stores = await Promise.all([openStore({ path }), openStore({ path }), openStore({ path })])
  const [first] = stores
  await append(first, aKey('c0'), { messages: many('m', 3) })
  const jobs = Array.from({ length: 60 }, (_, i) => ({ kind: `kind ${i}`, key: 'a', body: {} }))
  await first.addJobs(aKey('c0'), jobs, at(0))
  const claimed = await Promise.all(
    Array.from({ length: 90 }, (_, i) =>
      (stores[i % 3] as Store).claimJob({ now: at(1), lease: `lease ${i}`, leaseMs: 60_000 }),
    ),
  )
  const ids = claimed.flatMap((job) => job?.id ?? [])
  expect(new Set(ids).size).toBe(60)
  expect(ids).toHaveLength(60)
  for (const revision of [0, 1, 2]) {
    const attempts = stores.map((store) => commit(store, readingOf(aKey('c0')), { revision }))
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
  }
})
