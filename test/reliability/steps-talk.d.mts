import type { NewMessage } from '../../src/index.ts'

export declare const STEPS_TALK: readonly NewMessage[]
