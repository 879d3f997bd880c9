import { readFacts } from '../derive/facts/read-facts.ts'
import type { Fact } from '../domain/fact.ts'
import type { JsonValue } from '../domain/json.ts'
import { acceptObject } from '../record/accept-object.ts'
import { acceptPreferenceKey, acceptPreferenceValue } from '../record/accept-preference.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { Edit } from '../store/edits.ts'

/** How the user wants things. */
export interface Preferences {
  /** Preferences and standing instructions that the user told, or that were added as facts, and that hold now. */
  readonly facts: readonly Fact[]
  /** What the application has set, by key. */
  readonly values: Readonly<Record<string, JsonValue>>
}

export interface PreferencesHandle {
  /** `subject`: whose, where speakers have names. @default "user" */
  list(options?: { readonly subject?: string }): Promise<Preferences>
  /** Any JSON value under a key of the application's choice; it takes the place of the one before. */
  set(key: string, value: JsonValue): Promise<void>
  /** Whether there was one. */
  clear(key: string): Promise<boolean>
}

/** The kind of edit that a preference is. */
const PREFERENCE = 'preference'

export function openPreferences(recorder: WorkspaceDeps): PreferencesHandle {
  const { store, workspace, limits, now } = recorder
  return {
    list: async (options = {}) => {
      acceptObject(options, { what: 'a list of preferences', fields: ['subject'] })
      const { subject = 'user' } = options
      const kinds = ['preference', 'instruction'] as const
      const [facts, values] = await Promise.all([
        readFacts(store, workspace, { subject, kinds, asOf: now() }),
        readValues(recorder),
      ])
      return { facts, values }
    },
    set: async (key, value) => {
      const edit = {
        kind: PREFERENCE,
        key: acceptPreferenceKey(key, limits),
        body: { value: acceptPreferenceValue(value, limits) },
      }
      await store.saveEdit(workspace, edit, { now: now(), replace: true })
    },
    clear: async (key) => {
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

/** What the application has set. */
export function readPreferenceEdits({
  store,
  workspace,
}: Pick<WorkspaceDeps, 'store' | 'workspace'>): Promise<readonly Edit[]> {
  return store.edits({ workspace, kinds: [PREFERENCE] })
}

async function readValues(recorder: WorkspaceDeps): Promise<Preferences['values']> {
  const edits = await readPreferenceEdits(recorder)
  return Object.fromEntries(edits.map(({ key, body }) => [key, body['value'] as JsonValue]))
}
