import { MemoryError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { ActiveFile, PageChanges } from '../../domain/page.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import { acceptName } from '../accept-id.ts'
import { acceptJson, isPlainObject } from '../accept-json.ts'

const FIELDS = ['activeFile', 'currentTopic', 'entities', 'preferences'] as const

/** What an application says about a page, checked. */
export function acceptPageChanges(changes: PageChanges, limits: ResolvedLimits): PageChanges {
  acceptFields(changes, { what: 'a page', fields: FIELDS })
  const { activeFile, currentTopic, entities, preferences } = changes
  return {
    ...(activeFile !== undefined && { activeFile: acceptActiveFile(activeFile, limits) }),
    ...(currentTopic !== undefined && { currentTopic: acceptTopic(currentTopic, limits) }),
    ...(entities !== undefined && { entities: acceptKeys(entities, 'entities', limits) }),
    ...(preferences !== undefined && { preferences: acceptKeys(preferences, 'preferences', limits) }),
  }
}

function acceptFields(
  value: unknown,
  { what, fields }: { readonly what: string; readonly fields: readonly string[] },
): void {
  if (!isPlainObject(value)) throw new MemoryError('invalid-input', `${what}: an object is needed`)
  const unknown = Object.keys(value).find((field) => !fields.includes(field))
  if (unknown === undefined) return
  throw new MemoryError('invalid-input', `${what} has no field "${unknown}" that can be set`, {
    hint: `these can: ${fields.join(', ')}`,
  })
}

function acceptActiveFile(file: ActiveFile | null, limits: ResolvedLimits): ActiveFile | null {
  if (file === null) return null
  acceptFields(file, { what: 'activeFile', fields: ['id', 'name'] })
  const id = acceptName(file.id, { what: 'the id of the active file', most: limits.idCharacters })
  if (file.name === undefined || file.name === null) return { id }
  return {
    id,
    name: acceptName(file.name, { what: 'the name of the active file', most: limits.titleCharacters }),
  }
}

function acceptTopic(topic: string | null, limits: ResolvedLimits): string | null {
  return topic === null ? null : acceptName(topic, { what: 'currentTopic', most: limits.titleCharacters })
}

function acceptKeys(value: JsonObject | null, what: string, limits: ResolvedLimits): JsonObject | null {
  if (value === null) return null
  if (!isPlainObject(value)) {
    throw new MemoryError('invalid-input', `${what} must be an object, or null to clear it`, {
      hint: 'its keys are merged into those that are there; null takes a key away',
    })
  }
  acceptJson(value, { what, depth: limits.depth })
  return JSON.parse(JSON.stringify(value))
}
