// What is under way comes to its end, and nothing begins after that.

import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageId, queryId } from '../../domain/ids.ts'
import type { DerivationStore } from '../derivations.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import type { Store } from '../store.ts'
import type { ConformanceCase } from './conformance-case.ts'
import { aJob, anEdit, readingOf, saveEdit } from './derived-samples.ts'
import { add, aPageKey, aQuery, save } from './page-samples.ts'
import {
  aKey,
  aMessage,
  append,
  aReceipt,
  aTerm,
  at,
  create,
  fork,
  HERE,
  many,
  rejectsWith,
} from './samples.ts'

const trip = aKey('trip')

type Verb = Exclude<keyof Store, 'capabilities' | 'location' | 'close'>

/** Everything that can be asked of a store, each on something that is there. */
function everyCall(store: Store): Readonly<Record<Verb, () => Promise<unknown>>> {
  const range = { ...trip, limit: 5 }
  const list = { workspace: HERE, archived: 'with', limit: 5 } as const
  const page = aPageKey('trip')
  return {
    append: () => append(store, trip, { messages: [aMessage('late')] }),
    messages: () => store.messages(range),
    messageIds: () => store.messageIds(range),
    systemMessages: () => store.systemMessages(trip),
    findMessage: () => store.findMessage(HERE, messageId('m1')),
    searchMessages: () => store.searchMessages({ workspace: HERE, terms: [aTerm('words')], limit: 5 }),
    createConversation: () => create(store, aKey('late')),
    findConversation: () => store.findConversation(trip),
    changeConversation: () => store.changeConversation(trip, { title: 'late' }),
    listConversations: () => store.listConversations(list),
    fork: () => fork(store, trip, { at: 0, into: 'late' }),
    saveReceipt: () => store.saveReceipt(HERE, aReceipt('late', trip.conversation), 5),
    receipts: () => store.receipts(trip, 5),
    compress: () => store.compress(trip, [0, 1, 2]),
    compressedPositions: () => store.compressedPositions(trip),
    findPage: () => store.findPage(page),
    savePage: () => save(store, page),
    listPages: () => store.listPages(list),
    forgetDocument: () => store.forgetDocument(HERE, 'sales', at(9)),
    addQueries: () => add(store, page, aQuery('late')),
    queries: () => store.queries({ ...page, limit: 5 }),
    queriesAt: () => store.queriesAt(page, [0]),
    findQueryPositions: () => store.findQueryPositions({ ...page, words: ['how'], limit: 5 }),
    flagQuery: () => store.flagQuery(HERE, queryId('q1'), true),
    erasePage: () => store.erasePage(page),
    eraseQuery: () => store.eraseQuery(HERE, queryId('q1')),
    ...everyDerivedCall(store),
    eraseMessage: () => store.eraseMessage(HERE, messageId('m1'), at(9)),
    eraseConversations: () => store.eraseConversations([trip]),
    eraseWorkspace: () => store.eraseWorkspace(HERE),
    scrub: () => store.scrub(),
    listWorkspaces: () => store.listWorkspaces(),
    statistics: () => store.statistics(HERE),
    check: () => store.check(),
    rebuild: () => store.rebuild(),
    backup: () => store.backup(join(tmpdir(), `recollect-after-close-${process.pid}.db`)),
  }
}

type DerivedVerb = keyof DerivationStore | keyof JobStore | keyof EditStore

function everyDerivedCall(store: Store): Readonly<Record<DerivedVerb, () => Promise<unknown>>> {
  const reader = readingOf(trip)
  const items = { workspace: HERE, deriver: 'reader', kind: 'topic' } as const
  const ticket = { id: 1, lease: 'late' }
  const commit = { generation: 1, version: 'v1', revision: 0, cursor: 1, state: null, isActive: true }
  return {
    epoch: () => store.epoch(HERE),
    findDerivation: () => store.findDerivation(reader),
    derivations: () => store.derivations(reader),
    commitDerivation: () => store.commitDerivation({ ...reader, ...commit, epoch: '', now: at(9) }),
    dropDerivation: () => store.dropDerivation(reader),
    derivedItems: () => store.derivedItems(items),
    itemsVersion: () => store.itemsVersion(items),
    readings: () => store.readings({ ...reader, limit: 5 }),
    underived: () => store.underived({ deriver: 'reader', version: 'v1', behind: 1, limit: 5 }),
    addJobs: () => store.addJobs(trip, [aJob('late')], at(9)),
    claimJob: () => store.claimJob({ now: at(9), lease: 'late', leaseMs: 1000 }),
    nextJobAt: () => store.nextJobAt(),
    finishJob: () => store.finishJob(ticket),
    failJob: () => store.failJob(ticket, { error: 'late' }),
    releaseJob: () => store.releaseJob(ticket),
    jobs: () => store.jobs({ workspace: HERE, limit: 5 }),
    reviveJobs: () => store.reviveJobs(HERE, at(9)),
    countJobs: () => store.countJobs(),
    saveEdit: () => saveEdit(store, anEdit('late')),
    edits: () => store.edits({ workspace: HERE }),
    deleteEdits: () => store.deleteEdits(HERE, [1]),
    editsVersion: () => store.editsVersion(HERE),
  }
}

export const closing: readonly ConformanceCase[] = [
  {
    name: 'what was asked for before closing is done, and whatever comes later is refused',
    async run(store) {
      const appended = append(store, trip, { messages: many('m', 3) })
      const closed = store.close()
      assert.equal((await appended).added, 3)
      await closed
      for (const [name, call] of Object.entries(everyCall(store))) {
        if (name === 'backup' && !store.capabilities.canBackUp) continue
        await rejectsWith('store-closed', call())
      }
      await store.close()
    },
  },
]
