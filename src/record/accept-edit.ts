import { z } from 'zod'
import { messageId } from '../domain/ids.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import { check } from '../schemas/check.ts'
import { id, jsonObject, list, name } from '../schemas/values.ts'
import type { Edit } from '../store/edits.ts'

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
export function acceptEdit(
  edit: unknown,
  limits: ResolvedLimits,
): Pick<Edit, 'kind' | 'key' | 'body' | 'sources' | 'position'> {
  const { sources = [], ...fields } = check(exportedEdit, edit, { limits })
  return { ...fields, sources: sources.map(messageId) }
}
