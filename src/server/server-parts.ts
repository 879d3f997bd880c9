import type { Memory } from '../index.ts'
import type { AccessLog } from './access-log.ts'
import type { OpenTurns } from './chat/open-turns.ts'
import type { BodyRoom } from './entrance/body-room.ts'
import type { RateLimit } from './entrance/rate-limit.ts'
import type { ServerMetrics } from './metrics/server-metrics.ts'
import type { TokenCorrections } from './proxy/token-corrections.ts'
import type { RebuildWork } from './rebuild-work.ts'
import type { ReplicaNotice } from './replica-notice.ts'
import type { ResolvedServerOptions } from './server-options.ts'

/** Dependencies shared by all routes. */
export interface ServerParts {
  readonly memory: Memory
  readonly options: ResolvedServerOptions
  readonly rateLimit: RateLimit
  readonly bodyRoom: BodyRoom
  readonly metrics: ServerMetrics
  readonly rebuild: RebuildWork
  readonly replicaNotice: ReplicaNotice
  readonly turns: OpenTurns
  readonly corrections: TokenCorrections
  readonly log: AccessLog
  readonly now: () => Date
  /** Aborted on close, to end open-ended streams. */
  readonly closing: AbortController
  /** True once the server is closing: long-running requests end. */
  isClosing: boolean
}
