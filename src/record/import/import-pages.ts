// Pages and queries of our own export, in again. A page that is there stays as it is; queries that are missing
// are added at its end.

import { pageId } from '../../domain/ids.ts'
import type { TruncatedResults } from '../../domain/page.ts'
import { MemoryError } from '../../errors.ts'
import type { AcceptedQuery, PageFields, PageKey } from '../../store/page-store.ts'
import { acceptName } from '../accept-id.ts'
import { isPlainObject } from '../accept-json.ts'
import type { ExportedPage, ExportedQuery } from '../export/export-json.ts'
import { acceptPageChanges } from '../queries/accept-page.ts'
import { acceptQuery } from '../queries/accept-query.ts'
import { classifyIntent } from '../queries/classify-intent.ts'
import { mergePage } from '../queries/merge-page.ts'
import type { Recorder } from '../record.ts'
import { toTime, withPlace } from './read-entry.ts'

/** Queries written in one transaction. */
const BATCH = 500

interface Begun extends PageKey {
  readonly newPage: PageFields
}

type OnCount = (more: { readonly pages?: number; readonly queries?: number }) => void

export class PageImport {
  readonly #recorder: Recorder
  readonly #count: OnCount
  #page: Begun | undefined
  #batch: AcceptedQuery[] = []

  constructor(recorder: Recorder, count: OnCount) {
    this.#recorder = recorder
    this.#count = count
  }

  async begin(exported: ExportedPage): Promise<void> {
    await this.flush()
    const { store } = this.#recorder
    const begun = this.#toPage(exported)
    this.#page = begun
    const isThere = (await store.findPage(begun)) !== undefined
    await store.savePage({ ...begun, change: (page) => page ?? begun.newPage })
    if (!isThere) this.#count({ pages: 1 })
  }

  async add(exported: ExportedQuery): Promise<void> {
    this.#batch.push(this.#accept(exported))
    if (this.#batch.length >= BATCH) await this.flush()
  }

  async flush(): Promise<void> {
    const queries = this.#batch
    if (queries.length === 0) return
    this.#batch = []
    const { added } = await this.#recorder.store.addQueries({ ...this.#need(), queries })
    this.#count({ queries: added })
  }

  #toPage(exported: ExportedPage): Begun {
    const { workspace, limits, now } = this.#recorder
    const { activeFile, currentTopic, entities, preferences } = exported
    try {
      const id = acceptName(exported.pageId, { what: 'a page id', most: limits.idCharacters })
      const changes = acceptPageChanges({ activeFile, currentTopic, entities, preferences }, limits)
      const newPage = {
        ...mergePage(undefined, changes, { limits, now: now() }),
        createdAt: toTime(exported.createdAt),
        updatedAt: toTime(exported.updatedAt),
      }
      return { workspace, page: pageId(id), newPage }
    } catch (cause) {
      throw withPlace(cause, `page "${exported.pageId ?? '?'}"`)
    }
  }

  #need(): Begun {
    if (this.#page !== undefined) return this.#page
    throw new MemoryError('invalid-input', 'a query stands before its page')
  }

  #accept({ resultsTruncated, ...query }: ExportedQuery): AcceptedQuery {
    const { limits, now } = this.#recorder
    try {
      const checked = acceptQuery(query, { limits, now: now() })
      const note = resultsTruncated === undefined ? undefined : acceptNote(resultsTruncated)
      return {
        ...checked,
        intent: checked.intent ?? classifyIntent(checked, undefined),
        ...(note !== undefined && { resultsTruncated: note }),
      }
    } catch (cause) {
      throw withPlace(cause, `query "${query.id ?? '?'}" of "${this.#page?.page ?? '?'}"`)
    }
  }
}

/** Tells of the results as they first came, however often they were cut since. */
function acceptNote(note: unknown): TruncatedResults {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
  if (
    isPlainObject(note) &&
    isCount(note['bytes']) &&
    (note['rows'] === undefined || isCount(note['rows']))
  ) {
    const { rows, bytes } = note as unknown as TruncatedResults
    return { ...(rows !== undefined && { rows }), bytes }
  }
  throw new MemoryError('invalid-input', 'resultsTruncated must tell bytes, and rows if there were any')
}
