import type { DoorRules } from '../../accept-message.ts'
import type { Recorder } from '../../record.ts'
import type { ImportFormat } from '../imported.ts'

/** What placing conversations needs. */
export interface PlacingParts {
  readonly recorder: Recorder
  readonly door: DoorRules
  readonly format: ImportFormat
  readonly isDryRun: boolean
  readonly branches: 'forks' | 'none'
}
