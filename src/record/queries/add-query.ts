import type { Intent, NewQuery, Query } from '../../domain/page.ts'
import type { PageKey, PageStore } from '../../store/page-store.ts'
import type { WorkspaceDeps } from '../record.ts'
import { acceptQuery } from './accept-query.ts'
import { classifyIntent } from './classify-intent.ts'
import { emptyPage } from './merge-page.ts'

/** Adds a query at the end of a page's history; resolves when it is durable. */
export async function addQuery(
  { store, limits, now }: WorkspaceDeps,
  key: PageKey,
  query: NewQuery,
): Promise<Query> {
  const moment = now()
  const checked = acceptQuery(query, { limits, now: moment })
  const intent = checked.intent ?? classifyIntent(checked, await lastIntent(store, key))
  const added = await store.addQueries({
    ...key,
    queries: [{ ...checked, intent }],
    newPage: emptyPage(moment),
  })
  return added.queries[0] as Query
}

async function lastIntent(store: PageStore, key: PageKey): Promise<Intent | undefined> {
  const [last] = await store.queries({ ...key, limit: 1, direction: 'backwards' })
  return last?.intent
}
