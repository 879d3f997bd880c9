import { needConversation } from './data.mjs'

/** Undefined if the lease was lost. */
export const findHeld = (data, { id, lease }) => data.jobs.find((job) => job.id === id && job.lease === lease)

/** A new job waits behind a running one with its key, and replaces a dead one. */
export function addJob(data, { number, workspace, info }, { kind, key, body }, now) {
  const isSame = (job) => job.number === number && job.kind === kind && job.key === key
  if (data.jobs.some((job) => isSame(job) && job.state === 'waiting')) return
  data.jobs = data.jobs.filter((job) => !(isSame(job) && job.state === 'dead'))
  const conversation = { workspace: workspace.id, conversation: info.id }
  const job = {
    kind,
    key,
    body: structuredClone(body),
    state: 'waiting',
    failures: 0,
    runAt: now,
    createdAt: now,
  }
  data.jobs.push({ id: ++data.lastNumber, number, ...conversation, ...job })
}

/** Without the number of its conversation and the lease. */
const toJob = ({ number: _, lease: _lease, until: _until, ...job }) => job

const dueAt = ({ state, until, runAt }) => (state === 'running' ? until : runAt)

/** Of each conversation and kind, the running job or the oldest, the one that is due first in front. */
function heads(data, kinds) {
  const lines = new Map()
  const living = data.jobs.filter((job) => job.state !== 'dead' && (kinds?.includes(job.kind) ?? true))
  for (const job of living.sort((one, other) => one.id - other.id)) {
    const line = `${job.number} ${job.kind}`
    if (!lines.has(line) || job.state === 'running') lines.set(line, job)
  }
  return [...lines.values()].sort((one, other) => dueAt(one) - dueAt(other) || one.id - other.id)
}

/** Returns whether the caller holds the job. */
function change(data, ticket, changes) {
  const held = findHeld(data, ticket)
  if (held !== undefined)
    data.jobs = data.jobs.map((job) => (job === held ? { ...job, ...changes(job) } : job))
  return held !== undefined
}

export const jobMethods = {
  addJobs(data, key, jobs, now) {
    const conversation = needConversation(data, key)
    for (const job of jobs) addJob(data, conversation, job, now)
  },
  claimJob(data, { now, lease, leaseMs, kinds }) {
    const due = heads(data, kinds).find((job) => dueAt(job) <= now)
    if (due === undefined) return undefined
    const isLeft = due.state === 'running'
    const claimed = {
      ...due,
      state: 'running',
      lease,
      until: new Date(now.getTime() + leaseMs),
      failures: due.failures + Number(isLeft),
      ...(isLeft && { error: due.error ?? 'the process that ran it ended' }),
    }
    data.jobs = data.jobs.map((job) => (job === due ? claimed : job))
    return toJob(claimed)
  },
  nextJobAt(data, kinds) {
    const [first] = heads(data, kinds)
    return first && dueAt(first)
  },
  finishJob(data, ticket) {
    const held = findHeld(data, ticket)
    data.jobs = data.jobs.filter((job) => job !== held)
    return held !== undefined
  },
  failJob: (data, ticket, { error, runAt }) =>
    change(data, ticket, (job) => ({
      state: runAt === undefined ? 'dead' : 'waiting',
      lease: undefined,
      failures: job.failures + 1,
      error,
      runAt: runAt ?? job.runAt,
    })),
  releaseJob: (data, ticket) => change(data, ticket, () => ({ state: 'waiting', lease: undefined })),
  renewJob: (data, ticket, until) => change(data, ticket, () => ({ until })),
  jobs: (data, { workspace, state, limit }) =>
    data.jobs
      .filter((job) => job.workspace === workspace && (state ?? job.state) === job.state)
      .sort((one, other) => other.id - one.id)
      .slice(0, limit)
      .map(toJob),
  reviveJobs(data, workspace, now) {
    const dead = data.jobs.filter((job) => job.workspace === workspace && job.state === 'dead')
    data.jobs = data.jobs.map((job) => {
      const { error: _, ...rest } = job
      return dead.includes(job) ? { ...rest, state: 'waiting', failures: 0, runAt: now } : job
    })
    return dead.length
  },
  countJobs,
}

export function countJobs(data, workspace) {
  const counts = { waiting: 0, running: 0, dead: 0 }
  for (const job of data.jobs) if ((workspace ?? job.workspace) === job.workspace) counts[job.state] += 1
  return counts
}
