import type { AnswerEnding } from '../domain/recollect-metadata.ts'
import type { AnswerText } from './chat-event.ts'

/** An answer while it is being written. */
export class Draft {
  #text = ''
  #ending: AnswerEnding = 'complete'
  #failure: unknown

  get text(): string {
    return this.#text
  }

  get ending(): AnswerEnding {
    return this.#ending
  }

  /** What broke it, where it failed. */
  get failure(): unknown {
    return this.#failure
  }

  /** Not a word came. */
  get isEmpty(): boolean {
    return this.#text.trim() === ''
  }

  /** Takes pieces in, and hands them on. */
  async *write(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<AnswerText, void> {
    for await (const text of pieces) {
      this.#text += text
      yield { type: 'text', text }
    }
  }

  /** Ends it before its time. */
  end(ending: Exclude<AnswerEnding, 'complete'>, failure?: unknown): void {
    this.#ending = ending
    this.#failure = failure
  }

  /** Begins anew: somebody else writes it. */
  begin(): void {
    this.#text = ''
    this.#ending = 'complete'
    this.#failure = undefined
  }
}
