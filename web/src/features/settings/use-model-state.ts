import { type UsedRemote, useRemote } from 'recollect/react'

export interface ModelState {
  readonly isConnected: boolean
}

export function useModelState(): UsedRemote<ModelState> {
  return useRemote({
    name: 'model',
    read: async (client, signal) => {
      const { models } = await client.request<{ models: readonly { model: string }[] }>(
        'GET',
        '/api/derivation',
        { signal },
      )
      return { isConnected: models.some(({ model }) => model === 'chat') }
    },
  })
}
