import { type UsedRemote, useRemote } from 'recollect/react'

interface UsedModel {
  readonly name: string
  /** It failed repeatedly, and is left alone for a while. */
  readonly isResting: boolean
}

/** What is null is done by built-in means. */
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
