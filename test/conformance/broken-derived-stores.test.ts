// Stores that break one promise about derivations, jobs or edits: exactly the cases that name it must fail.

import { expect, test } from 'vitest'
import { derivationErasing } from '../../conformance/store/derivation-erasing.ts'
import { derivationJobs } from '../../conformance/store/derivation-jobs.ts'
import { derivationProgress } from '../../conformance/store/derivation-progress.ts'
import { derivations } from '../../conformance/store/derivations.ts'
import { derivedItems } from '../../conformance/store/derived-items.ts'
import { editErasing } from '../../conformance/store/edit-erasing.ts'
import { edits } from '../../conformance/store/edits.ts'
import { jobLeases } from '../../conformance/store/job-leases.ts'
import { jobs } from '../../conformance/store/jobs.ts'
import { ELSEWHERE, HERE } from '../../conformance/store/samples.ts'
import { runCase } from '../../conformance/store/store-conformance.ts'
import type { DerivationCommit, StoredItem } from '../../src/store/derivations.ts'
import type { Edit } from '../../src/store/edits.ts'
import type { Job, NewJob } from '../../src/store/jobs.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { ConversationKey, Store } from '../../src/store/store.ts'

interface BrokenStore {
  readonly flaw: string
  readonly noticedBy: readonly string[]
  readonly breakStore: (store: Store) => Partial<Store>
}

/** Changes every commit before it is written. */
const withCommits = (
  store: Store,
  change: (commit: DerivationCommit) => DerivationCommit | Promise<DerivationCommit>,
): Partial<Store> => ({
  commitDerivation: async (commit) => store.commitDerivation(await change(commit)),
})

const sameJob = (key: ConversationKey, job: NewJob) => (other: Job) =>
  other.conversation === key.conversation && other.kind === job.kind && other.key === job.key

const BROKEN: readonly BrokenStore[] = [
  {
    flaw: 'takes a commit that was outrun',
    noticedBy: [
      'a commit that was outrun by another changes nothing and says so',
      'a new generation is written next to the active one, which stays in use until it is replaced',
      'a commit that was outrun leaves the job that it would have finished',
      'derivations of a conversation of the same name in another workspace are others',
    ],
    breakStore: (store) =>
      withCommits(store, async (commit) => ({
        ...commit,
        revision: (await store.findDerivation(commit, commit.generation))?.revision ?? 0,
      })),
  },
  {
    flaw: 'shows a generation before it is whole',
    noticedBy: [
      'a new generation is written next to the active one, which stays in use until it is replaced',
      'things and readings of a generation that is not active are seen by nobody',
      'a derivation is dropped with all that belongs to it: one generation, or all',
      'a generation that was written unseen shows in the version when it is seen',
      'conversations that a deriver has not read to the end are listed, in every workspace',
    ],
    breakStore: (store) => withCommits(store, (commit) => ({ ...commit, isActive: true })),
  },
  {
    flaw: 'drops the generation beside with every commit to the one that is seen',
    noticedBy: [
      'a new generation is written next to the active one, which stays in use until it is replaced',
    ],
    breakStore: (store) => ({
      commitDerivation: async (commit) => {
        const isWritten = await store.commitDerivation(commit)
        if (!isWritten || !commit.isActive) return isWritten
        for (const { generation } of await store.derivations(commit))
          if (generation !== commit.generation) await store.dropDerivation(commit, generation)
        return true
      },
    }),
  },
  {
    flaw: 'rounds the vectors of things',
    noticedBy: ['things come back as they were put, their vectors to the last bit'],
    breakStore: (store) => ({
      derivedItems: async (list) =>
        (await store.derivedItems(list)).map((item) =>
          item.vector === undefined
            ? item
            : { ...item, vector: item.vector.map((value) => Math.round(value * 1e6) / 1e6) },
        ),
    }),
  },
  {
    flaw: 'gives vectors of things that nobody asked for',
    noticedBy: ['things come without their vectors, unless they are asked for'],
    breakStore: (store) => ({
      derivedItems: (list) => store.derivedItems({ ...list, withVectors: true }),
    }),
  },
  {
    flaw: 'keeps the signs of readings only',
    noticedBy: ['readings come back in order, their vectors within a hundredth of a cosine'],
    breakStore: (store) => ({
      readings: async (list) =>
        (await store.readings(list)).map((reading) =>
          reading.vector === undefined ? reading : { ...reading, vector: reading.vector.map(Math.sign) },
        ),
    }),
  },
  {
    flaw: 'lists things by their keys',
    noticedBy: [
      'things come back as they were put, their vectors to the last bit',
      'a thing that is put again takes the place of the old one and comes last',
      'a thing that is dropped is gone, and what is dropped and put at once is there',
    ],
    breakStore: (store) => ({
      derivedItems: async (list) =>
        (await store.derivedItems(list)).toSorted((a, b) =>
          a.conversationId === b.conversationId && a.kind === b.kind ? a.key.localeCompare(b.key) : 0,
        ),
    }),
  },
  {
    flaw: 'forgets to drop things',
    noticedBy: [
      'a thing that is dropped is gone, and what is dropped and put at once is there',
      'the version of things changes whenever they do, and never comes back',
      'the version of a kind changes only with items of that kind, and shows whether some were removed',
    ],
    breakStore: (store) => withCommits(store, ({ drop: _, ...commit }) => commit),
  },
  {
    flaw: 'counts things for a version, and nothing else',
    noticedBy: [
      'the version of things changes whenever they do, and never comes back',
      'the version of a kind changes only with items of that kind, and shows whether some were removed',
    ],
    breakStore: (store) => ({
      itemsVersion: async (list) => `:${(await store.derivedItems(list)).length}`,
    }),
  },
  {
    flaw: 'goes by the last number for a version',
    noticedBy: [
      'the version of things changes whenever they do, and never comes back',
      'a generation that was written unseen shows in the version when it is seen',
      'the version of a kind changes only with items of that kind, and shows whether some were removed',
      'switching the memory of a conversation off drops what was derived, and nothing more is taken',
    ],
    breakStore: (store) => ({
      itemsVersion: async (list) => `:${(await store.derivedItems(list)).at(-1)?.number ?? 0}`,
    }),
  },
  {
    flaw: 'takes what was read before an erase',
    noticedBy: [
      'what was read before an erase cannot be committed after it',
      'what was read of a conversation or workspace that was erased is not taken for its successor',
      'a commit to a derivation that was dropped and started again is refused',
    ],
    breakStore: (store) =>
      withCommits(store, async (commit) => ({
        ...commit,
        erasureVersion: await store.erasureVersion(commit.workspace),
      })),
  },
  {
    flaw: 'returns a new erasure version on every call',
    noticedBy: [
      'the erasure version stays the same while nothing is erased or dropped, and commits go on from it',
    ],
    breakStore: (store) => {
      let asked = 0
      return {
        ...withCommits(store, async ({ erasureVersion = '', ...commit }) => ({
          ...commit,
          erasureVersion: erasureVersion.endsWith(`/${asked}`)
            ? erasureVersion.slice(0, erasureVersion.lastIndexOf('/'))
            : 'old',
        })),
        erasureVersion: async (workspace) => `${await store.erasureVersion(workspace)}/${++asked}`,
      }
    },
  },
  {
    flaw: 'commits the result of a job that is not held any more',
    noticedBy: [
      'a commit finishes the job it is the result of, and writes nothing where the lease was lost',
      'a commit does not finish the job of another conversation',
      'a job that is running is lost with an erased message',
    ],
    breakStore: (store) => ({
      commitDerivation: async ({ finishes, ...commit }) => {
        const { erasureVersion = await store.erasureVersion(commit.workspace) } = commit
        const isWritten = await store.commitDerivation({ ...commit, erasureVersion })
        if (isWritten && finishes !== undefined) await store.finishJob(finishes)
        return isWritten
      },
    }),
  },
  {
    flaw: 'reads the derivations of another workspace where it has none',
    noticedBy: ['derivations of a conversation of the same name in another workspace are others'],
    breakStore: (store) => ({
      findDerivation: async (key, generation) =>
        (await store.findDerivation(key, generation)) ??
        (await store.findDerivation({ ...key, workspace: ELSEWHERE }, generation)),
    }),
  },
  {
    flaw: 'has conversations read whose memory is off',
    noticedBy: ['a conversation with its memory off is not to be read, until it is on again'],
    breakStore: (store) => ({
      listStale: async (wanted) => {
        const { items } = await store.listConversations({ workspace: HERE, archived: 'with', limit: 1000 })
        const off = items.filter(({ isMemoryOn, messageCount }) => !isMemoryOn && messageCount > 0)
        const keys = off.map(({ id }) => ({ workspace: HERE, conversation: id }))
        return [...(await store.listStale(wanted)), ...keys].slice(0, wanted.limit)
      },
    }),
  },
  {
    flaw: 'does not look at the version of what was read',
    noticedBy: ['conversations that were read by another version are yet to be read'],
    breakStore: (store) => ({
      listStale: async (wanted) => {
        const keys = await store.listStale(wanted)
        const found = await Promise.all(
          keys.map(async (key) => {
            const derivation = await store.findDerivation({ ...key, deriver: wanted.deriver })
            const conversation = await store.findConversation(key)
            return derivation?.cursor === conversation?.messageCount ? [] : [key]
          }),
        )
        return found.flat()
      },
    }),
  },
  {
    flaw: 'adds a job as often as it is asked',
    noticedBy: [
      'jobs that a commit calls for are added with it',
      'a job whose key still waits is not added again',
      'a job whose key is running waits behind it, since that one may have begun too early',
      'a dead job gives way to a new one of its key',
    ],
    breakStore: (store) => {
      let added = 0
      const unique = (job: NewJob): NewJob => ({ ...job, key: `${job.key}/${added++}` })
      const plain = (job: Job): Job => ({ ...job, key: job.key.split('/')[0] ?? '' })
      return {
        addJobs: (key, list, now) => store.addJobs(key, list.map(unique), now),
        commitDerivation: (commit) =>
          store.commitDerivation({ ...commit, jobs: (commit.jobs ?? []).map(unique) }),
        jobs: async (list) => (await store.jobs(list)).map(plain),
        claimJob: async (request) => {
          const job = await store.claimJob(request)
          return job && plain(job)
        },
      }
    },
  },
  {
    flaw: 'adds no job while one of its key is running',
    noticedBy: ['a job whose key is running waits behind it, since that one may have begun too early'],
    breakStore: (store) => ({
      addJobs: async (key, list, now) => {
        const running = await store.jobs({ workspace: key.workspace, state: 'running', limit: 100 })
        const free = list.filter((job) => !running.some(sameJob(key, job)))
        return store.addJobs(key, free, now)
      },
    }),
  },
  {
    flaw: 'adds no job while one of its key is dead',
    noticedBy: ['a dead job gives way to a new one of its key'],
    breakStore: (store) => ({
      addJobs: async (key, list, now) => {
        const dead = await store.jobs({ workspace: key.workspace, state: 'dead', limit: 100 })
        return store.addJobs(
          key,
          list.filter((job) => !dead.some(sameJob(key, job))),
          now,
        )
      },
    }),
  },
  {
    flaw: 'lets jobs of one conversation and kind run side by side',
    noticedBy: [
      'a commit finishes the job it is the result of, and writes nothing where the lease was lost',
      'jobs of one conversation and kind run one after the other, in the order they came',
      'a lease that runs out makes the job free, counts as a failure, and is worth nothing any more',
      'dead jobs that are revived wait in their old place, as if they had never failed',
      'a job that is revived does not run beside a later one of its kind, and comes before the next',
      'the next time to look is when a job is due or a lease runs out, not when one waits behind another',
    ],
    breakStore: (store) => {
      const apart = (job: NewJob): NewJob => ({ ...job, kind: `${job.kind}/${job.key}` })
      const plain = (job: Job): Job => ({ ...job, kind: job.kind.split('/')[0] ?? '' })
      return {
        addJobs: (key, list, now) => store.addJobs(key, list.map(apart), now),
        jobs: async (list) => (await store.jobs(list)).map(plain),
        claimJob: async (request) => {
          const job = await store.claimJob(request)
          return job && plain(job)
        },
      }
    },
  },
  {
    flaw: 'asks for no lease',
    noticedBy: [
      'a commit finishes the job it is the result of, and writes nothing where the lease was lost',
      'a lease that is renewed lasts longer; one that was lost is not renewed',
      'a lease that runs out makes the job free, counts as a failure, and is worth nothing any more',
      'without the lease a job is neither finished, nor failed, nor released',
    ],
    breakStore: (store) => {
      const held = <Ticket extends object>(ticket: Ticket) => ({ ...ticket, lease: 'any' })
      return {
        claimJob: (request) => store.claimJob(held(request)),
        finishJob: (ticket) => store.finishJob(held(ticket)),
        failJob: (ticket, failure) => store.failJob(held(ticket), failure),
        releaseJob: (ticket) => store.releaseJob(held(ticket)),
        commitDerivation: ({ finishes, ...commit }) =>
          store.commitDerivation({
            ...commit,
            ...(finishes === undefined
              ? { erasureVersion: commit.erasureVersion ?? '' }
              : { finishes: held(finishes) }),
          }),
      }
    },
  },
  {
    flaw: 'lets no lease run out',
    noticedBy: [
      'a commit finishes the job it is the result of, and writes nothing where the lease was lost',
      'a lease that runs out makes the job free, counts as a failure, and is worth nothing any more',
      'the next time to look is when a job is due or a lease runs out, not when one waits behind another',
    ],
    breakStore: (store) => ({ claimJob: (request) => store.claimJob({ ...request, leaseMs: 1e12 }) }),
  },
  {
    flaw: 'has people look for jobs that wait behind others',
    noticedBy: [
      'the next time to look is when a job is due or a lease runs out, not when one waits behind another',
    ],
    breakStore: (store) => ({
      nextJobAt: async () => {
        const workspaces = await store.listWorkspaces()
        const lists = workspaces.map((workspace) => store.jobs({ workspace, state: 'waiting', limit: 100 }))
        const times = (await Promise.all(lists)).flat().map(({ runAt }) => runAt.getTime())
        return times.length === 0 ? store.nextJobAt() : new Date(Math.min(...times))
      },
    }),
  },
  {
    flaw: 'tries again what was given up',
    noticedBy: [
      'a dead job gives way to a new one of its key',
      'a job that was given up is dead, keeps its error, and holds nobody up',
      'dead jobs that are revived wait in their old place, as if they had never failed',
      'a job that is revived does not run beside a later one of its kind, and comes before the next',
      'the next time to look is when a job is due or a lease runs out, not when one waits behind another',
      'jobs are listed newest first and counted, by state, for one workspace alone',
    ],
    breakStore: (store) => ({
      failJob: (ticket, failure) => store.failJob(ticket, { runAt: new Date(0), ...failure }),
    }),
  },
  {
    flaw: 'counts a failure for a job that is given back',
    noticedBy: [
      'a job that is released is as it was, and can be claimed at once',
      'the next time to look is when a job is due or a lease runs out, not when one waits behind another',
    ],
    breakStore: (store) => ({
      releaseJob: (ticket) => store.failJob(ticket, { error: 'given back', runAt: new Date(0) }),
    }),
  },
  {
    flaw: 'revives the dead of every workspace',
    noticedBy: ['dead jobs that are revived wait in their old place, as if they had never failed'],
    breakStore: (store) => ({
      reviveJobs: async (workspace, now) => {
        if (workspace === HERE) await store.reviveJobs(ELSEWHERE, now)
        return store.reviveJobs(workspace, now)
      },
    }),
  },
  {
    flaw: 'counts the jobs of every workspace',
    noticedBy: [
      'an erased conversation or workspace takes with it all that was derived',
      'jobs are listed newest first and counted, by state, for one workspace alone',
    ],
    breakStore: (store) => ({ countJobs: () => store.countJobs() }),
  },
  {
    flaw: 'still has things that were derived from what was erased',
    noticedBy: [
      'erasing a message drops what was derived from it, in every conversation with a copy, and nothing else',
      'a job that is running is lost with an erased message',
      'what was read before an erase cannot be committed after it',
    ],
    breakStore: (store) => {
      let erased: readonly StoredItem[] = []
      return {
        eraseMessage: async (workspace, id, now) => {
          erased = await store.derivedItems({ workspace, deriver: 'reader', kind: 'statement' })
          return store.eraseMessage(workspace, id, now)
        },
        derivedItems: async (list) => {
          const items = await store.derivedItems(list)
          const isAsked = (item: StoredItem) =>
            (list.conversation ?? item.conversationId) === item.conversationId
          return [...erased.filter(isAsked), ...items]
        },
      }
    },
  },
  {
    flaw: 'keeps every edit beside the one that replaces it',
    noticedBy: ['an edit that replaces takes the place of those of the same kind, key and conversation'],
    breakStore: (store) => ({
      saveEdit: (workspace, edit, { replace: _, ...options }) => store.saveEdit(workspace, edit, options),
    }),
  },
  {
    flaw: 'tells how far a conversation is now, for an edit that was made earlier',
    noticedBy: [
      'an edit comes back as it was saved, with the place and time at which it was made',
      'an edit that comes from elsewhere keeps its place',
    ],
    breakStore: (store) => ({
      edits: (list) =>
        store.edits(list).then((found) =>
          Promise.all(
            found.map(async (edit) => {
              if (edit.conversation === undefined) return edit
              const key = { workspace: list.workspace, conversation: edit.conversation }
              return { ...edit, position: (await store.findConversation(key))?.messageCount ?? 0 }
            }),
          ),
        ),
    }),
  },
  {
    flaw: 'keeps edits for ever',
    noticedBy: ['an edit that has expired is left out when a time is given'],
    breakStore: (store) => ({ edits: ({ now: _, ...list }) => store.edits(list) }),
  },
  {
    flaw: 'keeps the words of an erased message in edits',
    noticedBy: [
      'the version of edits changes whenever they do, and never comes back',
      'an edit that may hold words of a message that is not there, or was erased, is refused and changes nothing',
      'edits go with any message whose words they may hold, wherever they or its copies are',
      'edits go with their conversation, and with that of a message whose words they may hold',
    ],
    breakStore: (store) => {
      const sourcesOf = new Map<number, Edit['sources']>()
      const withSources = (edit: Edit): Edit => ({ ...edit, sources: sourcesOf.get(edit.id) ?? [] })
      return {
        saveEdit: async (workspace, { sources = [], ...edit }, options) => {
          const saved = await store.saveEdit(workspace, edit, options)
          sourcesOf.set(saved.id, sources)
          return withSources(saved)
        },
        edits: async (list) => (await store.edits(list)).map(withSources),
      }
    },
  },
  {
    flaw: 'deletes edits of every workspace',
    noticedBy: [
      'edits are deleted by their ids, which are never used again',
      'edits of another workspace are neither seen nor touched',
    ],
    breakStore: (store) => ({
      deleteEdits: async (workspace, ids) =>
        (await store.deleteEdits(workspace, ids)) + (await store.deleteEdits(ELSEWHERE, ids)),
    }),
  },
  {
    flaw: 'counts edits for a version, and nothing else',
    noticedBy: ['the version of edits changes whenever they do, and never comes back'],
    breakStore: (store) => ({
      editsVersion: async (workspace) => String((await store.edits({ workspace })).length),
    }),
  },
]

const CASES = [
  ...derivations,
  ...derivationJobs,
  ...derivedItems,
  ...derivationErasing,
  ...derivationProgress,
  ...jobs,
  ...jobLeases,
  ...edits,
  ...editErasing,
]

const openInMemory = () => openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })

async function findFailed(breakStore: BrokenStore['breakStore']): Promise<readonly string[]> {
  const open = async () => {
    const store = await openInMemory()
    return { ...store, ...breakStore(store) }
  }
  const failed: string[] = []
  for (const conformanceCase of CASES) {
    const { name, outcome } = await runCase(conformanceCase, open)
    if (outcome === 'failed') failed.push(name)
  }
  return failed
}

test.each(BROKEN.map((broken) => [broken.flaw, broken] as const))(
  'a store that %s fails exactly the cases for that promise',
  async (_flaw, { noticedBy, breakStore }) => {
    expect((await findFailed(breakStore)).toSorted()).toEqual(noticedBy.toSorted())
  },
)
