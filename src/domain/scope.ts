import type { JsonObject, JsonValue } from './json.ts'
import { METADATA_KEY } from './recollect-metadata.ts'

/** Where recall looks by name; a list of conversation ids names the conversations themselves. */
export const SCOPE_NAMES = ['conversation', 'page', 'workspace'] as const
export type ScopeName = (typeof SCOPE_NAMES)[number]
export type Scope = ScopeName | readonly string[]

/** The key of the preference that sets the scope of a workspace. */
export const SCOPE_PREFERENCE = 'recollect.scope'

/** The scope of a context, for its receipt. */
export interface ReceiptScope {
  /** Where memory was looked for; `conversations` is a list of them. */
  readonly used: ScopeName | 'conversations'
  readonly setBy: 'call' | 'conversation' | 'workspace' | 'default'
  /** Set if nothing was found in this narrower scope, so that the search went beyond it. */
  readonly beyond?: ScopeName
}

/** Undefined for anything that is no scope: applications write metadata and preferences too. */
export function toScope(value: JsonValue | undefined): Scope | undefined {
  if (SCOPE_NAMES.includes(value as ScopeName)) return value as ScopeName
  const isList = Array.isArray(value) && value.every((id) => typeof id === 'string')
  return isList ? (value as readonly string[]) : undefined
}

/** The scope that was set for a conversation, from its metadata. */
export function scopeOfConversation(metadata: JsonObject): Scope | undefined {
  const own = metadata[METADATA_KEY]
  const isObject = typeof own === 'object' && own !== null && !Array.isArray(own)
  return isObject ? toScope((own as JsonObject)['scope']) : undefined
}

/** Metadata with the scope of a conversation, or without one. */
export function withScope(metadata: JsonObject, scope: Scope | null | undefined): JsonObject {
  const { [METADATA_KEY]: _, ...rest } = metadata
  return scope === null || scope === undefined
    ? rest
    : { ...rest, [METADATA_KEY]: { scope: scope as JsonValue } }
}
