import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import { object } from '../../schemas/values.ts'
import { notFound } from '../need.ts'
import { created, nothing, ok, type Route, route } from '../route.ts'
import { erased, key, scope } from '../schemas/upkeep.ts'

const newKey = object('the request', {
  name: z.string().min(1).optional().meta({ description: 'What it is for.' }),
  scope: scope.optional().meta({ description: 'write unless given.' }),
}).meta({ id: 'NewKey' })

const madeKey = z.intersection(
  key,
  z.object({ key: z.string().meta({ description: 'The key itself: told now, and kept nowhere.' }) }),
)

export const workspaceRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/workspaces',
    noun: 'Workspaces and keys',
    operation: 'listWorkspaces',
    summary: 'The workspaces in the store.',
    about: 'The header X-Recollect-Workspace lets an admin use any other route for one of them.',
    scope: 'admin',
    answer: ok(z.object({ workspaces: z.array(z.string()) })),
    async handle({ server: { memory } }) {
      return { workspaces: await memory.workspaces.list().toArray() }
    },
  }),
  route({
    method: 'delete',
    path: '/api/workspaces/{workspace}',
    noun: 'Workspaces and keys',
    operation: 'eraseWorkspace',
    summary: 'Erases everything in a workspace, its keys included, for good.',
    scope: 'admin',
    answer: ok(z.object({ erased })),
    async handle({ server: { memory }, params }) {
      return { erased: await memory.workspace(params.workspace).erase() }
    },
  }),
  route({
    method: 'get',
    path: '/api/keys',
    noun: 'Workspaces and keys',
    operation: 'listKeys',
    summary: 'The keys of the workspace, oldest first.',
    scope: 'admin',
    answer: ok(z.object({ keys: z.array(key) })),
    async handle({ memory }) {
      return { keys: await memory.keys.list().toArray() }
    },
  }),
  route({
    method: 'post',
    path: '/api/keys',
    noun: 'Workspaces and keys',
    operation: 'createKey',
    summary: 'Makes a key to the workspace. It is told this once.',
    scope: 'admin',
    body: newKey,
    answer: created(madeKey),
    handle: async ({ memory, body }) => memory.keys.create(definedFields(body)),
  }),
  route({
    method: 'delete',
    path: '/api/keys/{keyId}',
    noun: 'Workspaces and keys',
    operation: 'revokeKey',
    summary: 'Takes a key away: it opens nothing from now on.',
    scope: 'admin',
    answer: nothing,
    async handle({ memory, params }) {
      if (await memory.keys.delete(params.keyId)) return undefined
      throw notFound(`there is no key "${params.keyId}"`, 'GET /api/keys lists them')
    },
  }),
]
