import { HttpError } from './http-error.ts'

interface Paging {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/**
 * One page of a list that the memory returns whole; the cursor is the id of the last item of the page before.
 */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit = 500, cursor }: Paging,
): { readonly items: readonly Item[]; readonly next: string | null } {
  const before = cursor === undefined ? -1 : items.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && before < 0) {
    throw new HttpError('invalid-input', 'the list does not go on from this cursor', {
      hint: 'the item that it named is gone: begin again without it',
    })
  }
  const slice = items.slice(before + 1, before + 1 + limit)
  const isMore = before + 1 + limit < items.length
  return { items: slice, next: isMore ? (slice.at(-1)?.id ?? null) : null }
}
