import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMemoryError } from '../../domain/errors.ts'
import { pageId } from '../../domain/ids.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { PageState } from '../../domain/page.ts'
import { resolveConfig, withTuning } from '../../options/resolve-options.ts'
import type { PageChanges } from '../../schemas/page.ts'
import { acceptPageChanges, emptyPage, mergePage } from './update-page.ts'

const LATER = new Date('2026-05-02T12:00:00Z')
const { limits } = resolveConfig(withTuning({}, { limits: { pageKeys: 20, pageBytes: 400 } }))

const page = (fields: Partial<PageState> = {}): PageState => ({
  ...emptyPage(new Date('2026-05-01T12:00:00Z')),
  pageId: pageId('home'),
  queryCount: 0,
  lastUsedAt: new Date('2026-05-01T12:00:00Z'),
  ...fields,
})

const merge = (before: PageState | undefined, changes: PageChanges) =>
  mergePage(before, acceptPageChanges(changes, limits), { limits, now: LATER })

const key = fc.constantFrom('a', 'b', '__proto__', 'constructor', '', '2')
const value = fc.constantFrom<JsonValue>(null, 1, 'x', false, { b: null }, [null])
const object = fc.dictionary(key, value).map((made): JsonObject => JSON.parse(JSON.stringify(made)))
const withoutNull = object.map(
  (made): JsonObject => Object.fromEntries(Object.entries(made).filter(([, item]) => item !== null)),
)

describe('a change of a page', () => {
  const before = page({
    activeFile: { id: 'sales', name: 'Sales.csv' },
    currentTopic: 'Sales',
    entities: { Ana: { role: 'buyer' }, Porto: 1 },
    preferences: { chart: 'bar' },
  })

  test('leaves what it does not name, and notes the time', () => {
    expect(merge(before, { currentTopic: 'Costs' })).toEqual({
      activeFile: before.activeFile,
      currentTopic: 'Costs',
      entities: before.entities,
      preferences: before.preferences,
      createdAt: before.createdAt,
      updatedAt: LATER,
    })
  })

  test('clears a field that is null, and a key that is null', () => {
    const merged = merge(before, { activeFile: null, entities: { Porto: null, Rui: 2 }, preferences: null })
    expect(merged).toMatchObject({
      activeFile: null,
      currentTopic: 'Sales',
      entities: { Ana: { role: 'buyer' }, Rui: 2 },
      preferences: {},
    })
    expect(Object.keys(merged.entities)).toEqual(['Ana', 'Rui'])
  })

  test('replaces the value of a key as a whole', () => {
    expect(merge(before, { entities: { Ana: { age: 40 } } }).entities['Ana']).toEqual({ age: 40 })
    expect(merge(before, { activeFile: { id: 'costs' } }).activeFile).toEqual({ id: 'costs' })
  })

  test('that changes nothing gives the page itself', () => {
    expect(merge(before, {})).toBe(before)
    expect(merge(before, { currentTopic: 'Sales', entities: { Porto: 1, Nobody: null } })).toBe(before)
  })

  test.each<[PageChanges, string]>([
    [{ entities: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i])) }, '22 keys'],
    [{ preferences: { note: 'x'.repeat(400) } }, 'preferences would have'],
  ])('that makes the page too large is refused', (changes, message) => {
    expect(() => merge(before, changes)).toThrow(message)
  })

  test('of something else, or one that makes it small enough, is taken though the page is too large', () => {
    const large = page({ entities: { a: 'x'.repeat(500), b: 1 } })
    expect(merge(large, { entities: { a: null } }).entities).toEqual({ b: 1 })
    expect(merge(large, { currentTopic: 'x' }).currentTopic).toBe('x')
  })
})

describe('refused at the door', () => {
  test.each([
    ['a field that there is not', { topic: 'x' }, 'activeFile, currentTopic'],
    ['no object', 'x', 'a page must be an object'],
    ['an active file without id', { activeFile: { name: 'x' } }, 'activeFile.id is required'],
    ['metadata of an active file that JSON cannot hold', { activeFile: { id: 'x', at: new Date() } }, 'Date'],
    ['a topic that is no text', { currentTopic: 5 }, 'currentTopic must be a string, not 5'],
    ['entities that are a list', { entities: ['Ana'] }, 'entities must be a plain object, not an array'],
    ['preferences that JSON cannot hold', { preferences: { at: new Date() } }, 'Date'],
    ['half of a character', { entities: { a: '\ud800' } }, 'unpaired surrogate'],
  ])('%s', (_what, changes, message) => {
    try {
      acceptPageChanges(changes as PageChanges, limits)
      expect.unreachable()
    } catch (error) {
      expect(isMemoryError(error) && `${error.message} ${error.hint}`).toContain(message)
    }
  })
})

describe('whatever is merged', () => {
  test('keys that are named have their new value, or none; the others keep theirs', () => {
    fc.assert(
      fc.property(withoutNull, object, (entities, changes) => {
        const merged = new Map(Object.entries(merge(page({ entities }), { entities: changes }).entities))
        const named = new Map(Object.entries(changes))
        for (const name of new Set([...Object.keys(entities), ...named.keys(), ...merged.keys()])) {
          const old = new Map(Object.entries(entities)).get(name)
          const expected = named.has(name) ? (named.get(name) ?? undefined) : old
          expect(merged.get(name)).toEqual(expected)
        }
      }),
    )
  })

  test('the same change again changes nothing', () => {
    fc.assert(
      fc.property(withoutNull, object, (entities, changes) => {
        const once = { ...page(), ...merge(page({ entities }), { entities: changes }) }
        expect(merge(once, { entities: changes })).toBe(once)
      }),
    )
  })

  test('changes to different keys can be applied in either order', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const apply = (first: JsonObject, second: JsonObject) => {
          const between = merge(page({ entities: { a: 0, b: 0 } }), { entities: first })
          return merge({ ...page(), ...between }, { entities: second }).entities
        }
        expect(apply({ a: one }, { b: other })).toEqual(apply({ b: other }, { a: one }))
      }),
    )
  })
})
