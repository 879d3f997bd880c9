import type { IconName } from '../../ui/icon.tsx'

export type SearchFilter = 'all' | 'chats' | 'messages' | 'knowledge'

/** A search result and the URL it opens. */
export interface Found {
  readonly key: string
  readonly group: string
  readonly icon: IconName
  readonly title: string
  readonly snippet?: Snippet
  readonly at?: string
  readonly to: string
}

export interface Snippet {
  readonly text: string
  readonly highlights: readonly (readonly [number, number] | readonly number[])[]
}
