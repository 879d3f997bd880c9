// How often recall waits for its store. Each wait is a trip over the network, where the store is a database.

import { expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { openWithStore } from '../support/open-with-store.ts'

const TRIP_MS = 10

/** A store that is a trip away: calls that are made together travel together, and all are counted as one. */
function farAway(store: Store, onTrip: () => void): Store {
  let trip: Promise<void> | undefined
  const travel = () => {
    trip ??= new Promise<void>((resolve) => setTimeout(resolve, TRIP_MS)).then(() => {
      trip = undefined
      onTrip()
    })
    return trip
  }
  const calls = Object.entries(store).map(([name, call]) => [
    name,
    async (...words: unknown[]) => {
      await travel()
      return (call as (...words: unknown[]) => unknown)(...words)
    },
  ])
  return Object.fromEntries(calls)
}

test('a question waits for its store at most ten times, since independent reads run in parallel', async () => {
  let trips = 0
  const { memory, say } = await openWithStore({}, (store) => farAway(store, () => trips++))
  await say('move', '2026-03-01', 'I live in Porto and work as a baker.')
  await say('move', '2026-03-02', 'Always answer in short sentences.')
  await say('trip', '2026-04-01', 'We took the night train to Lisbon, and the train was late.')
  await memory.notes.add({ text: 'The night train leaves Porto at nine.', source: { tool: 'timetable' } })
  await memory.documents.add({
    name: 'trains.md',
    content: '# Trains\n\nThe night train to Lisbon has two cars.',
  })
  await memory.whenDerived()
  trips = 0
  const { items } = await memory.recall('Which train did we take to Lisbon last April?', { limit: 10 })
  expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['message', 'note', 'chunk']))
  expect(trips).toBeLessThanOrEqual(10)
})
