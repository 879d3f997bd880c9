// Imports pages and queries of a Recollect export. An existing page is not changed; missing queries are appended.

import { MemoryError } from '../../domain/errors.ts'
import { pageId } from '../../domain/ids.ts'
import type { TruncatedResults } from '../../domain/page.ts'
import { isPlainObject } from '../../schemas/values.ts'
import type { AcceptedQuery, PageFields, PageKey } from '../../store/page-store.ts'
import { acceptName } from '../accept.ts'
import type { ExportedPage, ExportedQuery } from '../export/export-json.ts'
import { classifyIntent } from '../queries/classify-intent.ts'
import { readQueries } from '../queries/read-history.ts'
import { acceptPageChanges, acceptQuery, mergePage } from '../queries/update-page.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ImportLog } from './imported.ts'
import { writeBatch } from './imported.ts'
import { toTime } from './read-export.ts'

/** Queries written in one transaction. */
const BATCH_QUERIES = 500

interface NewPage extends PageKey {
  readonly newPage: PageFields
}

interface Waiting {
  readonly place: string
  readonly query: AcceptedQuery
}

export class PageImport {
  readonly #deps: WorkspaceDeps
  readonly #log: ImportLog
  readonly #isDryRun: boolean
  #page: NewPage | undefined
  #batch: Waiting[] = []
  /** For dry runs: the ids of the page's queries. */
  #known = new Set<string>()

  constructor(deps: WorkspaceDeps, log: ImportLog, isDryRun: boolean) {
    this.#deps = deps
    this.#log = log
    this.#isDryRun = isDryRun
  }

  async begin(exported: ExportedPage): Promise<void> {
    await this.flush()
    this.#page = undefined
    const { store } = this.#deps
    const page = this.#toPage(exported)
    this.#page = page
    const isThere = (await store.findPage(page)) !== undefined
    if (this.#isDryRun) await this.#readKnown(page)
    else await store.savePage({ ...page, change: (stored) => stored ?? page.newPage })
    if (!isThere) this.#log.add({ pages: 1 })
  }

  async add(place: string, exported: ExportedQuery): Promise<void> {
    this.#currentPage()
    this.#batch.push({ place, query: this.#accept(exported) })
    if (this.#batch.length >= BATCH_QUERIES) await this.flush()
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
    return (await this.#deps.store.addQueries({ ...this.#currentPage(), queries })).added
  }

  async #readKnown(key: PageKey): Promise<void> {
    this.#known = new Set()
    for await (const { id } of readQueries(this.#deps.store, key)) this.#known.add(id)
  }

  #toPage(exported: ExportedPage): NewPage {
    const { workspace, limits, now } = this.#deps
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

  #currentPage(): NewPage {
    if (this.#page !== undefined) return this.#page
    throw new MemoryError('invalid-input', 'skipped: its page failed to import')
  }

  #accept({ resultsTruncated, ...query }: ExportedQuery): AcceptedQuery {
    const { limits, now } = this.#deps
    const checked = acceptQuery(query, { limits, now: now() })
    const note = resultsTruncated === undefined ? undefined : acceptNote(resultsTruncated)
    return {
      ...checked,
      intent: checked.intent ?? classifyIntent(checked, undefined),
      ...(note !== undefined && { resultsTruncated: note }),
    }
  }
}

/** Describes the original results, however often they were truncated since. */
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
  throw new MemoryError('invalid-input', 'resultsTruncated must have bytes, and optionally rows')
}
