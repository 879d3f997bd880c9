import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULTS } from '../../options/options.ts'
import { chooseTopicsToArchive, topicPriority } from './fading.ts'
import { halfLifeDays, memoryType } from './half-life.ts'

const DAY_MS = 86_400_000
const start = new Date('2025-01-06T09:00:00Z')
const after = (days: number) => new Date(start.getTime() + days * DAY_MS)
const used = (accesses: number, importance = 1) => ({ accesses, lastUsedAt: start, importance })
const priorityAfter = (days: number, accesses: number) =>
  topicPriority(used(accesses), after(days), DEFAULTS.topics)

test.each([
  [0, 1, 'short-term'],
  [4, 1, 'short-term'],
  [5, 2, 'transitioning'],
  [9, 2, 'transitioning'],
  [10, 4, 'long-term'],
  [14, 4, 'long-term'],
  [15, 8, 'long-term'],
  [19, 8, 'long-term'],
  [20, 16, 'long-term'],
  [24, 16, 'long-term'],
  [25, 30, 'long-term'],
  [1000, 30, 'long-term'],
] as const)('after %i accesses the half-life is %i days and the memory %s', (accesses, days, type) => {
  expect(halfLifeDays(accesses, DEFAULTS.topics)).toBe(days)
  expect(memoryType(accesses, DEFAULTS.topics)).toBe(type)
})

test('a topic mentioned once falls below 0.05 within five days, one used twenty times within eighty', () => {
  const days = [0, 1, 2, 4, 5, 10, 20, 40, 60, 69, 70, 80, 100, 150]
  const curve = (accesses: number) => days.map((day) => priorityAfter(day, accesses).toFixed(3))
  expect({ days, once: curve(1), twenty: curve(20), thirty: curve(30) }).toMatchInlineSnapshot(`
    {
      "days": [
        0,
        1,
        2,
        4,
        5,
        10,
        20,
        40,
        60,
        69,
        70,
        80,
        100,
        150,
      ],
      "once": [
        "1.000",
        "0.500",
        "0.250",
        "0.063",
        "0.031",
        "0.001",
        "0.000",
        "0.000",
        "0.000",
        "0.000",
        "0.000",
        "0.000",
        "0.000",
        "0.000",
      ],
      "thirty": [
        "1.000",
        "0.977",
        "0.955",
        "0.912",
        "0.891",
        "0.794",
        "0.630",
        "0.397",
        "0.250",
        "0.203",
        "0.198",
        "0.157",
        "0.099",
        "0.031",
      ],
      "twenty": [
        "1.000",
        "0.958",
        "0.917",
        "0.841",
        "0.805",
        "0.648",
        "0.420",
        "0.177",
        "0.074",
        "0.050",
        "0.048",
        "0.031",
        "0.013",
        "0.002",
      ],
    }
  `)
  expect(priorityAfter(4, 1)).toBeGreaterThan(0.05)
  expect(priorityAfter(5, 1)).toBeLessThan(0.05)
  expect(priorityAfter(69, 20)).toBeGreaterThan(0.05)
  expect(priorityAfter(80, 20)).toBeLessThan(0.05)
})

test('priority never rises with age and never falls with use', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(200), fc.nat(60), (day, further, accesses) => {
      expect(priorityAfter(day + further, accesses)).toBeLessThanOrEqual(priorityAfter(day, accesses))
      expect(priorityAfter(day, accesses + 1)).toBeGreaterThanOrEqual(priorityAfter(day, accesses))
    }),
  )
})

test('a clock that was set back raises no priority above the importance', () => {
  expect(topicPriority(used(0, 0.5), after(-3), DEFAULTS.topics)).toBe(0.5)
})

const anyTopic = fc.record({
  accesses: fc.nat(40),
  lastUsedAt: fc.nat(200).map((days) => after(-days)),
  importance: fc.double({ min: 0, max: 1, noNaN: true }),
  isCurrent: fc.boolean(),
  isPinned: fc.boolean(),
  isArchived: fc.boolean(),
})

test('with more than twenty topics all faded ones are archived, never the current or a pinned one', () => {
  fc.assert(
    fc.property(fc.array(anyTopic, { maxLength: 60 }), (topics) => {
      const archived = chooseTopicsToArchive(topics, start, DEFAULTS.topics)
      const live = topics.filter(({ isArchived }) => !isArchived)
      for (const topic of archived) {
        expect(topic.isCurrent || topic.isPinned || topic.isArchived).toBe(false)
        expect(topicPriority(topic, start, DEFAULTS.topics)).toBeLessThan(0.05)
      }
      const faded = live.filter(
        (topic) =>
          !(topic.isCurrent || topic.isPinned) && topicPriority(topic, start, DEFAULTS.topics) < 0.05,
      )
      expect(archived).toHaveLength(live.length > 20 ? faded.length : 0)
    }),
  )
})

test('archived topics have lower priority than all others that could have been archived', () => {
  fc.assert(
    fc.property(fc.array(anyTopic, { maxLength: 60 }), (topics) => {
      const archived = new Set(chooseTopicsToArchive(topics, start, DEFAULTS.topics))
      const could = topics.filter(
        (topic) => !(topic.isCurrent || topic.isPinned || topic.isArchived || archived.has(topic)),
      )
      const priority = (topic: (typeof topics)[number]) => topicPriority(topic, start, DEFAULTS.topics)
      const highest = Math.max(0, ...[...archived].map(priority))
      if (archived.size > 0)
        for (const topic of could) expect(priority(topic)).toBeGreaterThanOrEqual(highest)
    }),
  )
})

test('every number is configurable', () => {
  const options = { ...DEFAULTS.topics, maxActive: 0, archiveBelow: 2, accessesToDouble: 1 }
  expect(halfLifeDays(3, options)).toBe(8)
  const topic = { ...used(0), isCurrent: false, isPinned: false, isArchived: false }
  expect(chooseTopicsToArchive([topic], start, options)).toEqual([topic])
})
