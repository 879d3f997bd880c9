import { readFacts } from '../derive/facts/read-facts.ts'
import type { Fact } from '../domain/fact.ts'
import type { JsonValue } from '../domain/json.ts'
import { acceptObject } from '../record/accept.ts'
import { acceptPreferenceKey, acceptPreferenceValue } from '../record/accept-knowledge.ts'
import type { WorkspaceDeps } from '../record/record.ts'

/** How the user wants things: stated in messages, or set by the application. */
export interface PreferenceSet {
  /** Current preferences and standing instructions, from messages or added as facts. */
  readonly facts: readonly Fact[]
  /** Values set by the application, by key. */
  readonly values: Readonly<Record<string, JsonValue>>
}

/**
 * How the user wants things: `memory.preferences`.
 *
 * @example
 * await memory.preferences.update('units', 'metric')
 * const { facts, values } = await memory.preferences.get()
 * await memory.preferences.delete('units')
 */
export interface Preferences {
  /** `subject`: whose preferences, if speakers have names. @default "user" */
  get(options?: { readonly subject?: string }): Promise<PreferenceSet>
  /** Stores any JSON value under a key of your choice, replacing the previous one. */
  update(key: string, value: JsonValue): Promise<void>
  /** True if there was a value. */
  delete(key: string): Promise<boolean>
}

/** The edit kind of a preference. */
export const PREFERENCE = 'preference'

export function createPreferences(deps: WorkspaceDeps): Preferences {
  const { store, workspace, limits, now } = deps
  return {
    get: async (options = {}) => {
      acceptObject(options, { what: 'a list of preferences', fields: ['subject'] })
      const { subject = 'user' } = options
      const kinds = ['preference', 'instruction'] as const
      const [facts, values] = await Promise.all([
        readFacts(store, workspace, { subject, kinds, asOf: now() }),
        readValues(deps),
      ])
      return { facts, values }
    },
    update: async (key, value) => {
      const edit = {
        kind: PREFERENCE,
        key: acceptPreferenceKey(key, limits),
        body: { value: acceptPreferenceValue(value, limits) },
      }
      await store.saveEdit(workspace, edit, { now: now(), replace: true })
    },
    delete: async (key) => {
      const edits = await store.edits({
        workspace,
        kinds: [PREFERENCE],
        key: acceptPreferenceKey(key, limits),
      })
      const ids = edits.map(({ id }) => id)
      return (await store.deleteEdits(workspace, ids)) > 0
    },
  }
}

async function readValues({ store, workspace }: WorkspaceDeps): Promise<PreferenceSet['values']> {
  const edits = await store.edits({ workspace, kinds: [PREFERENCE] })
  return Object.fromEntries(edits.map(({ key, body }) => [key, body['value'] as JsonValue]))
}
