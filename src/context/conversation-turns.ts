// A conversation can be cut at any turn: the first few turns (the head), a gap, and the last ones (the tail)
// up to the live one. Here is what a cut sends, and what that costs.

import type { Message } from '../domain/message.ts'
import type { ContextMaterial } from './material.ts'
import { pairTools } from './pair-tools.ts'
import { type Injections, type Rendered, renderContext, sumTokens } from './render-context.ts'
import { splitTurns, type Turn } from './split-turns.ts'

export interface Cut {
  /** How many turns from the beginning; those that the tail has are not sent twice. */
  readonly headTurns: number
  /** The number of the first turn of the tail among the older ones. */
  readonly tailStart: number
}

export class ConversationTurns {
  /** Before the live one. */
  readonly older: readonly Turn[]
  readonly live: Turn
  /** The older turns reach back to the beginning. */
  readonly isFromStart: boolean
  /** The whole turns that it began with, as far as they are known. */
  readonly #first: readonly Turn[]
  readonly #counter: ContextMaterial['counter']
  #turnTokens: readonly number[] | undefined
  readonly #rendered = new Map<string, Rendered>()

  constructor({ history, left = [], counter, memory }: ContextMaterial, question: readonly Message[]) {
    const turns = splitTurns([...history, ...question])
    this.live = turns.at(-1) ?? { messages: [] }
    this.older = turns.slice(0, -1)
    const read = [history[0], left[0]?.message].flatMap((message) => message?.position ?? [])
    this.isFromStart = read.length === 0 || read.includes(0)
    this.#counter = counter
    const beginning = memory?.beginning ?? []
    // The last one may go on in what was not read.
    const first = this.isFromStart ? this.older : splitTurns(beginning).slice(0, -1)
    this.#first = first.slice(0, countWhole(first, memory?.limits.firstTurns ?? 0))
  }

  /** What each of the older turns costs by itself. */
  get turnTokens(): readonly number[] {
    this.#turnTokens ??= this.older.map((turn) => this.tokensOf([turn]))
    return this.#turnTokens
  }

  /** The most turns that a head can have. */
  get mostHeadTurns(): number {
    return this.#first.length
  }

  head({ headTurns, tailStart }: Cut): readonly Turn[] {
    const tailFrom = firstPosition(this.older[tailStart] ?? this.live)
    return this.#first.slice(0, headTurns).filter((turn) => firstPosition(turn) < tailFrom)
  }

  tail({ tailStart }: Cut): readonly Turn[] {
    return this.older.slice(tailStart)
  }

  /** Where the tail begins, or the live turn where there is no tail. */
  tailFrom({ tailStart }: Cut): number {
    const first = firstPosition(this.older[tailStart] ?? this.live)
    return first === Number.POSITIVE_INFINITY ? 0 : first
  }

  /** Between head and tail, something is left out. */
  hasGap(cut: Cut): boolean {
    if (!this.isFromStart) return true
    return cut.tailStart > this.head(cut).length
  }

  render(cut: Cut, injections?: Injections): Rendered {
    const turns = [...this.head(cut), ...this.tail(cut), this.live]
    const messages = turns.flatMap((turn) => turn.messages)
    if (injections !== undefined) return renderContext(messages, this.#counter, injections)
    const name = `${cut.headTurns} ${cut.tailStart}`
    const rendered = this.#rendered.get(name) ?? renderContext(messages, this.#counter)
    this.#rendered.set(name, rendered)
    return rendered
  }

  tokens(cut: Cut): number {
    return sumTokens(this.render(cut).messages)
  }

  /** What turns cost by themselves. */
  tokensOf(turns: readonly Turn[]): number {
    const messages = turns.flatMap((turn) => turn.messages)
    return sumTokens(renderContext(messages, this.#counter).messages)
  }
}

const firstPosition = (turn: Turn): number => turn.messages[0]?.position ?? Number.POSITIVE_INFINITY

/** How many turns at the beginning have the results of all their calls: later ones may lie in the gap. */
function countWhole(turns: readonly Turn[], most: number): number {
  const broken = turns.slice(0, most).findIndex(({ messages }) => pairTools(messages).openCalls > 0)
  return broken < 0 ? most : broken
}
