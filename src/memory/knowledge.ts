// What is known beside the messages: facts, entities, preferences, notes, documents, and what was of use.

import { ENTITY_TYPES, type EntityType, type WorkspaceEntity } from '../derive/entities/entity.ts'
import { readEntities } from '../derive/entities/read-entities.ts'
import type { Document } from '../domain/document.ts'
import type { Fact } from '../domain/fact.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Note } from '../domain/note.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { acceptConversationId } from '../record/accept-id.ts'
import { acceptChoice, acceptObject } from '../record/accept-object.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { type DocumentsHandle, listAttached, openDocuments } from './documents.ts'
import { type FactListOptions, type FactsHandle, listFacts, openFacts } from './facts.ts'
import { type FeedbackHandle, openFeedback } from './feedback.ts'
import { listNotes, type NotesHandle, openNotes } from './notes.ts'
import { openPreferences, type PreferencesHandle } from './preferences.ts'

export interface EntityListOptions {
  readonly type?: EntityType
  /** Only as this conversation speaks of them. @default all conversations together */
  readonly conversationId?: string
}

export interface Knowledge {
  /** What people said and users gave: who, what, since when. */
  readonly facts: FactsHandle
  /** How the user wants things. */
  readonly preferences: PreferencesHandle
  /** Short results of tools and web searches. */
  readonly notes: NotesHandle
  /** Files that were given to the workspace or to conversations. */
  readonly documents: DocumentsHandle
  /** What was of use, and what is important by it. */
  readonly feedback: FeedbackHandle
  /** Who and what is spoken of, most often first. */
  entities(options?: EntityListOptions): Promise<readonly WorkspaceEntity[]>
}

/** The same of one conversation. */
export interface ConversationKnowledge {
  /** Facts that something in this conversation says. */
  facts(options?: Omit<FactListOptions, 'conversationId'>): Promise<readonly Fact[]>
  entities(options?: Omit<EntityListOptions, 'conversationId'>): Promise<readonly WorkspaceEntity[]>
  notes(): Promise<readonly Note[]>
  /** Those attached to it, newest first; those that every conversation sees are not among them. */
  documents(): Promise<readonly Document[]>
}

export function openKnowledge(recorder: WorkspaceDeps, { notes }: ResolvedConfig): Knowledge {
  return {
    facts: openFacts(recorder),
    preferences: openPreferences(recorder),
    notes: openNotes(recorder, notes.expireDays),
    documents: openDocuments(recorder),
    feedback: openFeedback(recorder),
    entities: (options) => listEntities(recorder, options),
  }
}

export function openConversationKnowledge(
  recorder: WorkspaceDeps,
  id: ConversationId,
  { notes }: ResolvedConfig,
): ConversationKnowledge {
  return {
    facts: (options) => listFacts(recorder, { ...options, conversationId: id }),
    entities: (options) => listEntities(recorder, { ...options, conversationId: id }),
    notes: () => listNotes(recorder, notes.expireDays, { conversationId: id }),
    documents: () => listAttached(recorder, id),
  }
}

async function listEntities(
  { store, workspace, limits }: WorkspaceDeps,
  options: EntityListOptions = {},
): Promise<readonly WorkspaceEntity[]> {
  acceptObject(options, { what: 'a list of entities', fields: ['type', 'conversationId'] })
  const { type, conversationId: id } = options
  if (type !== undefined) acceptChoice(type, { what: 'the type of an entity', choices: ENTITY_TYPES })
  return readEntities(store, {
    workspace,
    ...(type !== undefined && { type }),
    ...(id !== undefined && { conversation: acceptConversationId(id, limits) }),
  })
}
