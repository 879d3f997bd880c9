// Imports edits of a Recollect export. Ids are assigned by the store, so an edit is identified by its content. Equal
// edits are counted: importing twice adds nothing. An edit whose source messages were erased here is not imported.

import { z } from 'zod'
import { conversationId, type MessageId, messageId } from '../../domain/ids.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import { check } from '../../schemas/check.ts'
import { id, jsonObject, list, name } from '../../schemas/values.ts'
import type { Edit, NewEdit } from '../../store/edits.ts'
import { readEdits } from '../../store/read-pages.ts'
import type { ExportedEdit } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ImportLog } from './imported.ts'
import { toTime } from './read-export.ts'

type Identified = Pick<Edit, 'kind' | 'key' | 'body' | 'conversation' | 'createdAt'>

export class EditImport {
  readonly #deps: WorkspaceDeps
  readonly #log: ImportLog
  readonly #isDryRun: boolean
  /** Per identity: how many stored edits were not matched by the export yet. */
  #known: Map<string, number> | undefined

  constructor(deps: WorkspaceDeps, log: ImportLog, isDryRun: boolean) {
    this.#deps = deps
    this.#log = log
    this.#isDryRun = isDryRun
  }

  async add(exported: ExportedEdit): Promise<void> {
    const { createdAt, position, ...edit } = this.#accept(exported)
    if (await this.#isKnown({ ...edit, createdAt })) return
    const sources = await this.#findSources(edit.sources ?? [])
    if (sources === undefined) return
    const { store, workspace } = this.#deps
    if (!this.#isDryRun) {
      await store.saveEdit(workspace, { ...edit, sources }, { now: createdAt, position })
    }
    this.#log.add({ edits: 1 })
  }

  #accept(exported: ExportedEdit): NewEdit & Pick<Edit, 'createdAt' | 'position'> {
    const { createdAt, expiresAt, conversation, ...rest } = exported
    const { position, ...edit } = acceptEdit(rest, this.#deps.limits)
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
    const { store, workspace } = this.#deps
    for await (const edit of readEdits(store, { workspace })) {
      const identity = identityOf(edit)
      counts.set(identity, (counts.get(identity) ?? 0) + 1)
    }
    return counts
  }

  /** The sources that exist here; undefined if one of them was erased. */
  async #findSources(ids: readonly MessageId[]): Promise<readonly MessageId[] | undefined> {
    const { store, workspace } = this.#deps
    const messages = await Promise.all(ids.map((id) => store.findMessage(workspace, id)))
    if (messages.some((message) => message?.erasedAt !== undefined)) return undefined
    return messages.flatMap((message) => message?.id ?? [])
  }
}

function identityOf({ kind, key, body, conversation, createdAt }: Identified): string {
  return JSON.stringify([conversation ?? null, kind, key, body, createdAt])
}

const exportedEdit = z
  .object({
    kind: id,
    // May be a whole sentence.
    key: name('metadataBytes'),
    body: jsonObject('messageBytes'),
    sources: list(id).optional(),
    position: z.int().min(0),
  })
  .meta({ title: 'an edit' })

/** An edit of an export, checked: it comes from a file. */
function acceptEdit(
  edit: unknown,
  limits: ResolvedLimits,
): Pick<Edit, 'kind' | 'key' | 'body' | 'sources' | 'position'> {
  const { sources = [], ...fields } = check(exportedEdit, edit, { limits })
  return { ...fields, sources: sources.map(messageId) }
}
