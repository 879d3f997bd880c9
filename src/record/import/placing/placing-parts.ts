import type { DoorRules } from '../../accept-message.ts'
import type { WorkspaceDeps } from '../../record.ts'
import type { ImportFormat } from '../imported.ts'

/** What placing conversations needs. */
export interface PlacingParts {
  readonly recorder: WorkspaceDeps
  readonly door: DoorRules
  readonly format: ImportFormat
  readonly isDryRun: boolean
  readonly branches: 'forks' | 'none'
}
