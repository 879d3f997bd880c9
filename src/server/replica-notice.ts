import type { Memory } from '../index.ts'
import type { AccessLog } from './access-log.ts'

/**
 * Logs when the replica becomes unreachable and when it is back: requests don't fail, so nobody would notice
 * otherwise.
 */
export class ReplicaNotice {
  readonly #memory: Memory
  readonly #log: Pick<AccessLog, 'note' | 'warn'>
  #isUp = true

  constructor(memory: Memory, log: Pick<AccessLog, 'note' | 'warn'>) {
    this.#memory = memory
    this.#log = log
  }

  look(): void {
    const { isUp = true, problem = '' } = this.#memory.maintenance.replica() ?? {}
    if (isUp === this.#isUp) return
    this.#isUp = isUp
    if (isUp) this.#log.note('the replica answers again')
    else this.#log.warn(problem)
  }
}
