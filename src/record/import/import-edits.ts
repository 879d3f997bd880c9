// Edits of our own export, in again. Ids are made by the store, so that an edit is known by all that it says:
// what is there already stays, as often as it is there, and importing twice adds nothing. Words that were
// erased here do not come back with an edit.

import { conversationId, type MessageId } from '../../domain/ids.ts'
import type { Edit, NewEdit } from '../../store/edits.ts'
import { readEdits } from '../../store/read-pages.ts'
import { acceptEdit } from '../accept-edit.ts'
import type { ExportedEdit } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ImportLog } from './import-log.ts'
import { toTime } from './read-entry.ts'

type Identified = Pick<Edit, 'kind' | 'key' | 'body' | 'conversation' | 'createdAt'>

export class EditImport {
  readonly #recorder: WorkspaceDeps
  readonly #log: ImportLog
  readonly #isDryRun: boolean
  /** How often each stands here and not yet in the export. */
  #known: Map<string, number> | undefined

  constructor(recorder: WorkspaceDeps, log: ImportLog, isDryRun: boolean) {
    this.#recorder = recorder
    this.#log = log
    this.#isDryRun = isDryRun
  }

  async add(exported: ExportedEdit): Promise<void> {
    const { createdAt, position, ...edit } = this.#accept(exported)
    if (await this.#isKnown({ ...edit, createdAt })) return
    const sources = await this.#findSources(edit.sources ?? [])
    if (sources === undefined) return
    const { store, workspace } = this.#recorder
    if (!this.#isDryRun) {
      await store.saveEdit(workspace, { ...edit, sources }, { now: createdAt, position })
    }
    this.#log.add({ edits: 1 })
  }

  #accept(exported: ExportedEdit): NewEdit & Pick<Edit, 'createdAt' | 'position'> {
    const { createdAt, expiresAt, conversation, ...rest } = exported
    const { position, ...edit } = acceptEdit(rest, this.#recorder.limits)
    return {
      ...edit,
      position,
      createdAt: toTime(createdAt),
      ...(conversation !== undefined && { conversation: conversationId(String(conversation)) }),
      ...(expiresAt !== undefined && { expiresAt: toTime(expiresAt) }),
    }
  }

  async #isKnown(edit: Identified): Promise<boolean> {
    this.#known ??= await this.#countAll()
    const identity = identityOf(edit)
    const left = this.#known.get(identity) ?? 0
    if (left > 0) this.#known.set(identity, left - 1)
    return left > 0
  }

  async #countAll(): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const { store, workspace } = this.#recorder
    for await (const edit of readEdits(store, { workspace })) {
      const identity = identityOf(edit)
      counts.set(identity, (counts.get(identity) ?? 0) + 1)
    }
    return counts
  }

  /** Those that are here; undefined where one of them was erased. */
  async #findSources(ids: readonly MessageId[]): Promise<readonly MessageId[] | undefined> {
    const { store, workspace } = this.#recorder
    const messages = await Promise.all(ids.map((id) => store.findMessage(workspace, id)))
    if (messages.some((message) => message?.erasedAt !== undefined)) return undefined
    return messages.flatMap((message) => message?.id ?? [])
  }
}

function identityOf({ kind, key, body, conversation, createdAt }: Identified): string {
  return JSON.stringify([conversation ?? null, kind, key, body, createdAt])
}
