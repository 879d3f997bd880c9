// Pages and queries of our own export, in again. A page that is there stays as it is; queries that are missing
// are added at its end.

import { MemoryError } from '../../domain/errors.ts'
import { pageId } from '../../domain/ids.ts'
import type { TruncatedResults } from '../../domain/page.ts'
import type { AcceptedQuery, PageFields, PageKey } from '../../store/page-store.ts'
import { acceptName } from '../accept-id.ts'
import { isPlainObject } from '../accept-json.ts'
import type { ExportedPage, ExportedQuery } from '../export/export-json.ts'
import { acceptPageChanges } from '../queries/accept-page.ts'
import { acceptQuery } from '../queries/accept-query.ts'
import { classifyIntent } from '../queries/classify-intent.ts'
import { mergePage } from '../queries/merge-page.ts'
import { readQueries } from '../queries/read-queries.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ImportLog } from './import-log.ts'
import { toTime } from './read-entry.ts'
import { writeBatch } from './write-batch.ts'

/** Queries written in one transaction. */
const BATCH = 500

interface Begun extends PageKey {
  readonly newPage: PageFields
}

interface Waiting {
  readonly place: string
  readonly query: AcceptedQuery
}

export class PageImport {
  readonly #recorder: WorkspaceDeps
  readonly #log: ImportLog
  readonly #isDryRun: boolean
  #page: Begun | undefined
  #batch: Waiting[] = []
  /** In a dry run: the queries that the page has. */
  #known = new Set<string>()

  constructor(recorder: WorkspaceDeps, log: ImportLog, isDryRun: boolean) {
    this.#recorder = recorder
    this.#log = log
    this.#isDryRun = isDryRun
  }

  async begin(exported: ExportedPage): Promise<void> {
    await this.flush()
    this.#page = undefined
    const { store } = this.#recorder
    const begun = this.#toPage(exported)
    this.#page = begun
    const isThere = (await store.findPage(begun)) !== undefined
    if (this.#isDryRun) await this.#readKnown(begun)
    else await store.savePage({ ...begun, change: (page) => page ?? begun.newPage })
    if (!isThere) this.#log.add({ pages: 1 })
  }

  async add(place: string, exported: ExportedQuery): Promise<void> {
    this.#need()
    this.#batch.push({ place, query: this.#accept(exported) })
    if (this.#batch.length >= BATCH) await this.flush()
  }

  async flush(): Promise<void> {
    const batch = this.#batch
    if (batch.length === 0) return
    this.#batch = []
    await writeBatch(batch, this.#log, async (waiting) => {
      this.#log.add({ queries: await this.#write(waiting.map(({ query }) => query)) })
    })
  }

  async #write(queries: readonly AcceptedQuery[]): Promise<number> {
    if (this.#isDryRun) return queries.filter(({ id }) => !this.#known.has(id)).length
    return (await this.#recorder.store.addQueries({ ...this.#need(), queries })).added
  }

  async #readKnown(key: PageKey): Promise<void> {
    this.#known = new Set()
    for await (const { id } of readQueries(this.#recorder.store, key)) this.#known.add(id)
  }

  #toPage(exported: ExportedPage): Begun {
    const { workspace, limits, now } = this.#recorder
    const { activeFile, currentTopic, entities, preferences } = exported
    const id = acceptName(exported.pageId, { what: 'a page id', most: limits.idCharacters })
    const changes = acceptPageChanges({ activeFile, currentTopic, entities, preferences }, limits)
    const newPage = {
      ...mergePage(undefined, changes, { limits, now: now() }),
      createdAt: toTime(exported.createdAt),
      updatedAt: toTime(exported.updatedAt),
    }
    return { workspace, page: pageId(id), newPage }
  }

  #need(): Begun {
    if (this.#page !== undefined) return this.#page
    throw new MemoryError('invalid-input', 'a query stands before its page')
  }

  #accept({ resultsTruncated, ...query }: ExportedQuery): AcceptedQuery {
    const { limits, now } = this.#recorder
    const checked = acceptQuery(query, { limits, now: now() })
    const note = resultsTruncated === undefined ? undefined : acceptNote(resultsTruncated)
    return {
      ...checked,
      intent: checked.intent ?? classifyIntent(checked, undefined),
      ...(note !== undefined && { resultsTruncated: note }),
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
