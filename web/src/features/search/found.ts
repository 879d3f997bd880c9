import type { IconName } from '../../ui/icon.tsx'

export type SearchFilter = 'all' | 'chats' | 'messages' | 'knowledge'

/** Something that was found, and the place that it opens. */
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
