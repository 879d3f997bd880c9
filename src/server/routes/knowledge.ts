import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { newNote } from '../../schemas/knowledge.ts'
import { object } from '../../schemas/values.ts'
import { needConversation, notFound } from '../need.ts'
import { pageOf } from '../page-of.ts'
import { created, nothing, ok, queryOf, type Route, route } from '../route.ts'
import { entity, fact, importance, note } from '../schemas/knowledge.ts'
import { cursor, id, jsonValue, limit, next } from '../schemas/values.ts'

const entityType = z
  .enum(['person', 'organisation', 'product', 'place', 'date', 'file', 'url', 'email', 'other'])
  .optional()

const entityList = ok(z.object({ entities: z.array(entity), next }))
const noteList = ok(z.object({ notes: z.array(note), next }))

const feedbackKind = z.enum(['message', 'fact', 'summary', 'topic', 'note', 'chunk', 'query'])
const feedbackItem = queryOf({ kind: feedbackKind, id })

export const entityRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/entities',
    noun: 'Entities',
    operation: 'listEntities',
    summary: 'Who and what is spoken of, most often first.',
    scope: 'read',
    query: queryOf({ type: entityType, conversationId: id.optional(), limit: limit(10_000, 500), cursor }),
    answer: entityList,
    async handle({ memory, query: { limit: most, cursor: from, ...list } }) {
      const page = pageOf(await memory.entities.list(definedFields(list)).toArray(), {
        limit: most,
        cursor: from,
      })
      return { entities: page.items, next: page.next }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/entities',
    noun: 'Entities',
    operation: 'listConversationEntities',
    summary: 'The same, as this conversation speaks of them.',
    scope: 'read',
    query: queryOf({ type: entityType, limit: limit(10_000, 500), cursor }),
    answer: entityList,
    async handle({ memory, params, query: { limit: most, cursor: from, ...list } }) {
      const { handle } = await needConversation(memory, params.conversationId)
      const page = pageOf(await handle.entities.list(definedFields(list)).toArray(), {
        limit: most,
        cursor: from,
      })
      return { entities: page.items, next: page.next }
    },
  }),
]

export const preferenceRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/preferences',
    noun: 'Preferences',
    operation: 'listPreferences',
    summary: 'How the user wants things: what was told, and what the application has set.',
    scope: 'read',
    query: queryOf({ subject: z.string().min(1).optional() }),
    answer: ok(z.object({ facts: z.array(fact), values: z.record(z.string(), jsonValue) })),
    handle: async ({ memory, query }) => memory.preferences.get(definedFields(query)),
  }),
  route({
    method: 'put',
    path: '/api/preferences/{key}',
    noun: 'Preferences',
    operation: 'setPreference',
    summary: 'Sets a value under a key of your choice.',
    scope: 'write',
    body: object('the request', { value: jsonValue }).meta({ id: 'PreferenceValue' }),
    answer: nothing,
    async handle({ memory, params, body }) {
      await memory.preferences.update(params.key, body.value)
      return undefined
    },
  }),
  route({
    method: 'delete',
    path: '/api/preferences/{key}',
    noun: 'Preferences',
    operation: 'clearPreference',
    summary: 'Takes a value away.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      if (await memory.preferences.delete(params.key)) return undefined
      throw notFound(`no preference is set under "${params.key}"`)
    },
  }),
]

export const noteRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/notes',
    noun: 'Notes',
    operation: 'listNotes',
    summary: 'Short results of tools and web searches that have not expired, newest first.',
    scope: 'read',
    query: queryOf({ conversationId: id.optional(), limit: limit(10_000, 500), cursor }),
    answer: noteList,
    async handle({ memory, query: { limit: most, cursor: from, ...list } }) {
      const page = pageOf(await memory.notes.list(definedFields(list)).toArray(), {
        limit: most,
        cursor: from,
      })
      return { notes: page.items, next: page.next }
    },
  }),
  route({
    method: 'get',
    path: '/api/conversations/{conversationId}/notes',
    noun: 'Notes',
    operation: 'listConversationNotes',
    summary: 'The same of one conversation.',
    scope: 'read',
    query: queryOf({ limit: limit(10_000, 500), cursor }),
    answer: noteList,
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      const page = pageOf(await handle.notes.list().toArray(), query)
      return { notes: page.items, next: page.next }
    },
  }),
  route({
    method: 'post',
    path: '/api/notes',
    noun: 'Notes',
    operation: 'addNote',
    summary: 'Adds a note; the same one again is renewed.',
    scope: 'write',
    isRepeatable: true,
    body: newNote,
    answer: created(note),
    handle: async ({ memory, body: { text, ...more } }) => memory.notes.add({ text, ...definedFields(more) }),
  }),
  route({
    method: 'delete',
    path: '/api/notes/{noteId}',
    noun: 'Notes',
    operation: 'deleteNote',
    summary: 'Deletes a note.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      if (await memory.notes.delete(params.noteId)) return undefined
      throw notFound(`there is no note "${params.noteId}"`, 'GET /api/notes lists them')
    },
  }),
]

export const feedbackRoutes: readonly Route[] = [
  route({
    method: 'post',
    path: '/api/feedback',
    noun: 'Feedback',
    operation: 'giveFeedback',
    summary: 'Says whether something that was recalled helped; answers how important it is now.',
    scope: 'write',
    body: object('the request', { kind: feedbackKind, id, verdict: z.enum(['helpful', 'not-helpful']) }).meta(
      { id: 'Feedback' },
    ),
    answer: ok(importance),
    handle: async ({ memory, body: { verdict, ...item } }) => memory.feedback.give(item, verdict),
  }),
  route({
    method: 'get',
    path: '/api/feedback',
    noun: 'Feedback',
    operation: 'getImportance',
    summary: 'How important something is, and why.',
    scope: 'read',
    query: feedbackItem,
    answer: ok(importance),
    handle: async ({ memory, query }) => memory.feedback.importanceOf(query),
  }),
  route({
    method: 'delete',
    path: '/api/feedback',
    noun: 'Feedback',
    operation: 'undoFeedback',
    summary: 'Takes the last verdict on something back.',
    scope: 'write',
    query: feedbackItem,
    answer: ok(importance),
    handle: async ({ memory, query }) => memory.feedback.undo(query),
  }),
]
