// A conversation can be cut at any turn into the first few turns (the head), a gap, and the last turns (the tail)
// up to the live one. This class renders a cut and counts its cost.

import type { Message } from '../domain/message.ts'
import type { ContextMaterial } from './material.ts'
import { pairTools } from './pair-tools.ts'
import { type Injections, type Rendered, renderContext, sumTokens } from './render-context.ts'
import { splitTurns, type Turn } from './split-turns.ts'

export interface Cut {
  /** Number of turns from the beginning. Turns that are also in the tail are sent once. */
  readonly headTurns: number
  /** Index of the tail's first turn among the older ones. */
  readonly tailStart: number
}

export class ConversationTurns {
  /** The turns before the live one. */
  readonly older: readonly Turn[]
  readonly live: Turn
  /** The older turns include the beginning of the conversation. */
  readonly isFromStart: boolean
  /** The first turns whose messages are all loaded. */
  readonly #first: readonly Turn[]
  readonly #liveMessages: ReadonlySet<Message>
  readonly #counter: ContextMaterial['counter']
  #turnTokens: readonly number[] | undefined
  readonly #rendered = new Map<string, Rendered>()

  constructor({ history, left = [], counter, memory }: ContextMaterial, question: readonly Message[]) {
    const turns = splitTurns([...history, ...question])
    this.live = turns.at(-1) ?? { messages: [] }
    this.#liveMessages = new Set(this.live.messages)
    this.older = turns.slice(0, -1)
    const read = [history[0], left[0]?.message].flatMap((message) => message?.position ?? [])
    this.isFromStart = read.length === 0 || read.includes(0)
    this.#counter = counter
    const beginning = memory?.beginning ?? []
    // The last one may continue in messages that were not loaded.
    const first = this.isFromStart ? this.older : splitTurns(beginning).slice(0, -1)
    this.#first = first.slice(0, countWhole(first, memory?.limits.firstTurns ?? 0))
  }

  /** The cost of each older turn on its own. */
  get turnTokens(): readonly number[] {
    this.#turnTokens ??= this.older.map((turn) => this.tokensOf([turn]))
    return this.#turnTokens
  }

  get maxHeadTurns(): number {
    return this.#first.length
  }

  head({ headTurns, tailStart }: Cut): readonly Turn[] {
    const tailFrom = firstPosition(this.older[tailStart] ?? this.live)
    return this.#first.slice(0, headTurns).filter((turn) => firstPosition(turn) < tailFrom)
  }

  tail({ tailStart }: Cut): readonly Turn[] {
    return this.older.slice(tailStart)
  }

  /** The position where the tail begins, or the live turn if there is no tail. */
  tailFrom({ tailStart }: Cut): number {
    const first = firstPosition(this.older[tailStart] ?? this.live)
    return first === Number.POSITIVE_INFINITY ? 0 : first
  }

  /** Messages between head and tail are left out. */
  hasGap(cut: Cut): boolean {
    if (!this.isFromStart) return true
    return cut.tailStart > this.head(cut).length
  }

  render(cut: Cut, injections?: Injections): Rendered {
    const turns = [...this.head(cut), ...this.tail(cut), this.live]
    const messages = turns.flatMap((turn) => turn.messages)
    const options = { counter: this.#counter, live: this.#liveMessages }
    if (injections !== undefined) return renderContext(messages, { ...options, ...injections })
    const name = `${cut.headTurns} ${cut.tailStart}`
    const rendered = this.#rendered.get(name) ?? renderContext(messages, options)
    this.#rendered.set(name, rendered)
    return rendered
  }

  tokens(cut: Cut): number {
    return sumTokens(this.render(cut).messages)
  }

  /** The cost of turns on their own. */
  tokensOf(turns: readonly Turn[]): number {
    const messages = turns.flatMap((turn) => turn.messages)
    return sumTokens(renderContext(messages, { counter: this.#counter }).messages)
  }
}

const firstPosition = (turn: Turn): number => turn.messages[0]?.position ?? Number.POSITIVE_INFINITY

/** Number of turns at the beginning that have the results of all their calls; other results may be in the gap. */
function countWhole(turns: readonly Turn[], max: number): number {
  const broken = turns.slice(0, max).findIndex(({ messages }) => pairTools(messages).openCalls > 0)
  return broken < 0 ? max : broken
}
