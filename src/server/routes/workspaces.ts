import { z } from 'zod'
import { object } from '../../schemas/values.ts'
import { created, notFound, nothing, ok, route, routesOf } from '../route.ts'
import { erased, key, scope } from '../schemas/upkeep.ts'

const newKey = object('the request', {
  name: z.string().min(1).optional().meta({ description: 'What the key is for.' }),
  scope: scope.optional().meta({ description: 'Default: write.' }),
}).meta({ id: 'NewKey' })

const madeKey = z.intersection(
  key,
  z.object({
    key: z
      .string()
      .meta({ description: "The key itself. Copy it now: it is not stored and won't be shown again." }),
  }),
)

export const workspaceRoutes = routesOf('Workspaces and keys', [
  route.get('/api/workspaces', {
    operation: 'listWorkspaces',
    summary: 'Lists the workspaces in the store.',
    about: 'With the header X-Recollect-Workspace, admins can use all other routes for any of them.',
    scope: 'admin',
    answer: ok(z.object({ workspaces: z.array(z.string()) })),
    handle: async ({ server: { memory } }) => ({ workspaces: await memory.workspaces.list().toArray() }),
  }),
  route.delete('/api/workspaces/{workspace}', {
    operation: 'eraseWorkspace',
    summary: 'Permanently erases everything in a workspace, its keys included.',
    scope: 'admin',
    answer: ok(z.object({ erased })),
    handle: async ({ server: { memory }, params }) => ({
      erased: await memory.workspace(params.workspace).erase(),
    }),
  }),
  route.get('/api/keys', {
    operation: 'listKeys',
    summary: 'Lists the API keys of the workspace, oldest first.',
    scope: 'admin',
    answer: ok(z.object({ keys: z.array(key) })),
    handle: async ({ memory }) => ({ keys: await memory.keys.list().toArray() }),
  }),
  route.post('/api/keys', {
    operation: 'createKey',
    summary: 'Creates an API key for the workspace. It is shown only once.',
    scope: 'admin',
    body: newKey,
    answer: created(madeKey),
    handle: async ({ memory, body }) => memory.keys.create(body),
  }),
  route.delete('/api/keys/{keyId}', {
    operation: 'revokeKey',
    summary: 'Deletes an API key.',
    scope: 'admin',
    answer: nothing,
    async handle({ memory, params }) {
      if (await memory.keys.delete(params.keyId)) return undefined
      throw notFound(`there is no key "${params.keyId}"`, 'GET /api/keys lists them')
    },
  }),
])
