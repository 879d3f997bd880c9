import { definedFields } from '../../domain/defined-fields.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { ActiveFile, PageState } from '../../domain/page.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import { check } from '../../schemas/check.ts'
import { type PageChanges, pageChanges } from '../../schemas/page.ts'

export interface AcceptedPageChanges extends Partial<Pick<PageState, 'activeFile' | 'currentTopic'>> {
  readonly entities?: JsonObject | null
  readonly preferences?: JsonObject | null
}

export function acceptPageChanges(changes: PageChanges, limits: ResolvedLimits): AcceptedPageChanges {
  const { activeFile, ...rest } = check(pageChanges, changes, { limits })
  return {
    ...(activeFile !== undefined && { activeFile: activeFile && toActiveFile(activeFile) }),
    ...definedFields(rest),
  }
}

const toActiveFile = ({ id, name }: { id: string; name?: string | null | undefined }): ActiveFile => ({
  id,
  ...(typeof name === 'string' && { name }),
})
