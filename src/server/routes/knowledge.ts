import { z } from 'zod'
import { blockChanges, newNote } from '../../schemas/knowledge.ts'
import {
  conversationEntityList,
  conversationNoteList,
  entityList,
  noteList,
  preferenceList,
  queryOf,
} from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import { created, needConversation, notFound, nothing, ok, pageOf, route, routesOf } from '../route.ts'
import { entity, fact, id, importance, jsonValue, next, note, time } from '../schemas/responses.ts'

const entityPage = ok(z.object({ entities: z.array(entity), next }))
const notePage = ok(z.object({ notes: z.array(note), next }))

const feedbackKind = z.enum(['message', 'fact', 'summary', 'topic', 'note', 'chunk', 'query'])
const feedbackItem = queryOf({ kind: feedbackKind, id })

export const entityRoutes = routesOf('Entities', [
  route.get('/api/entities', {
    operation: 'listEntities',
    summary: 'Lists people, organisations and things that are mentioned, most mentioned first.',
    scope: 'read',
    query: entityList,
    answer: entityPage,
    handle: async ({ memory, query }) => pageOf('entities', memory.entities.list(query)),
  }),
  route.get('/api/conversations/{conversationId}/entities', {
    operation: 'listConversationEntities',
    summary: 'Lists the entities mentioned in this conversation.',
    scope: 'read',
    query: conversationEntityList,
    answer: entityPage,
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return pageOf('entities', handle.entities.list(query))
    },
  }),
])

export const preferenceRoutes = routesOf('Preferences', [
  route.get('/api/preferences', {
    operation: 'listPreferences',
    summary: "Gets the user's preferences: those they stated, and those the application set.",
    scope: 'read',
    query: preferenceList,
    answer: ok(z.object({ facts: z.array(fact), values: z.record(z.string(), jsonValue) })),
    handle: async ({ memory, query }) => memory.preferences.get(query),
  }),
  route.put('/api/preferences/{key}', {
    operation: 'setPreference',
    summary: 'Sets a preference under a key of your choice.',
    scope: 'write',
    body: object('the request', { value: jsonValue }).meta({ id: 'PreferenceValue' }),
    answer: nothing,
    async handle({ memory, params, body }) {
      await memory.preferences.update(params.key, body.value)
      return undefined
    },
  }),
  route.delete('/api/preferences/{key}', {
    operation: 'clearPreference',
    summary: 'Deletes a preference that was set.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      if (await memory.preferences.delete(params.key)) return undefined
      throw notFound(`no preference is set under "${params.key}"`)
    },
  }),
])

export const noteRoutes = routesOf('Notes', [
  route.get('/api/notes', {
    operation: 'listNotes',
    summary: 'Lists notes (short results of tools and web searches) that have not expired, newest first.',
    scope: 'read',
    query: noteList,
    answer: notePage,
    handle: async ({ memory, query }) => pageOf('notes', memory.notes.list(query)),
  }),
  route.get('/api/conversations/{conversationId}/notes', {
    operation: 'listConversationNotes',
    summary: 'Lists the notes of one conversation.',
    scope: 'read',
    query: conversationNoteList,
    answer: notePage,
    async handle({ memory, params, query }) {
      const { handle } = await needConversation(memory, params.conversationId)
      return pageOf('notes', handle.notes.list(query))
    },
  }),
  route.post('/api/notes', {
    operation: 'addNote',
    summary: 'Adds a note; adding the same note again renews it.',
    scope: 'write',
    supports: ['idempotency-key'],
    body: newNote,
    answer: created(note),
    handle: async ({ memory, body }) => memory.notes.add(body),
  }),
  route.delete('/api/notes/{noteId}', {
    operation: 'deleteNote',
    summary: 'Deletes a note.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      if (await memory.notes.delete(params.noteId)) return undefined
      throw notFound(`there is no note "${params.noteId}"`, 'GET /api/notes lists them')
    },
  }),
])

export const feedbackRoutes = routesOf('Feedback', [
  route.post('/api/feedback', {
    operation: 'giveFeedback',
    summary: 'Records whether a recalled item helped; returns its new importance.',
    scope: 'write',
    body: object('the request', { kind: feedbackKind, id, verdict: z.enum(['helpful', 'not-helpful']) }).meta(
      { id: 'Feedback' },
    ),
    answer: ok(importance),
    handle: async ({ memory, body: { verdict, ...item } }) => memory.feedback.give(item, verdict),
  }),
  route.get('/api/feedback', {
    operation: 'getImportance',
    summary: 'Gets the importance of an item, and its reasons.',
    scope: 'read',
    query: feedbackItem,
    answer: ok(importance),
    handle: async ({ memory, query }) => memory.feedback.importanceOf(query),
  }),
  route.delete('/api/feedback', {
    operation: 'undoFeedback',
    summary: 'Undoes the last feedback on an item.',
    scope: 'write',
    query: feedbackItem,
    answer: ok(importance),
    handle: async ({ memory, query }) => memory.feedback.undo(query),
  }),
])

const block = z
  .object({
    name: id,
    text: z.string(),
    version: z.number(),
    updatedAt: time,
    updatedBy: z.enum(['user', 'model']),
  })
  .meta({ id: 'MemoryBlock' })

const noBlock = (name: string) => notFound(`there is no memory block "${name}"`, 'GET /api/blocks lists them')

export const blockRoutes = routesOf('Memory blocks', [
  route.get('/api/blocks', {
    operation: 'listBlocks',
    summary: 'Lists memory blocks: small named texts that every context includes.',
    scope: 'read',
    answer: ok(z.object({ blocks: z.array(block) })),
    handle: async ({ memory }) => ({ blocks: await memory.blocks.list().toArray() }),
  }),
  route.get('/api/blocks/{name}/history', {
    operation: 'listBlockVersions',
    summary: 'Lists the versions of a memory block, newest first.',
    scope: 'read',
    answer: ok(z.object({ blocks: z.array(block) })),
    async handle({ memory, params }) {
      const blocks = await memory.blocks.history(params.name).toArray()
      if (blocks.length > 0) return { blocks }
      throw noBlock(params.name)
    },
  }),
  route.put('/api/blocks/{name}', {
    operation: 'updateBlock',
    summary: 'Sets the text of a memory block, or replaces one passage of it.',
    scope: 'write',
    body: blockChanges,
    answer: ok(block),
    handle: async ({ memory, params, body }) => memory.blocks.update(params.name, body),
  }),
  route.post('/api/blocks/{name}/undo', {
    operation: 'undoBlock',
    summary: 'Goes back to the previous version of a memory block; `block` is null if there was none.',
    scope: 'write',
    answer: ok(z.object({ block: block.nullable() })),
    handle: async ({ memory, params }) => ({ block: (await memory.blocks.undo(params.name)) ?? null }),
  }),
  route.delete('/api/blocks/{name}', {
    operation: 'deleteBlock',
    summary: 'Deletes a memory block with its history.',
    scope: 'write',
    answer: nothing,
    async handle({ memory, params }) {
      if (await memory.blocks.delete(params.name)) return undefined
      throw noBlock(params.name)
    },
  }),
])
