import { type UsedRemote, useRemote } from 'recollect/react'

interface UsedModel {
  readonly name: string
  /** Paused after repeated failures. */
  readonly isResting: boolean
}

/** Null means that the built-in method is used. */
export interface Models {
  readonly chat: UsedModel | null
  readonly embeddings: { readonly isResting: boolean } | null
  readonly rerank: UsedModel | null
  readonly webSearch: UsedModel | null
}

export function useModels(): UsedRemote<Models> {
  return useRemote({
    name: 'models',
    read: (client, signal) => client.request<Models>('GET', '/api/models', { signal }),
  })
}
