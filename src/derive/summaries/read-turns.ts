import { contentWords } from './content-words.ts'
import { findVoices, isSpoken } from './find-voices.ts'
import type { Voices } from './report/to-third-person.ts'
import { type Sentence, splitSentences } from './split-sentences.ts'
import type { Turn } from './summary.ts'

export interface ReadSentence extends Sentence {
  /** Its content words. */
  readonly words: readonly string[]
}

/** A turn with the parts that a summary uses. */
export interface ReadTurn {
  readonly turn: Turn
  readonly voices: Voices
  /** Its prose: no code, tables, lists or notes in brackets. */
  readonly sentences: readonly ReadSentence[]
  /** The same as one text. */
  readonly prose: string
}

/** The turns of people and assistants, in order. System prompts and tool results are not part of the conversation. */
export function readTurns(turns: readonly Turn[]): ReadTurn[] {
  const spoken = turns.filter(isSpoken).toSorted((a, b) => a.position - b.position)
  const voicesOf = findVoices(spoken)
  return spoken.map((turn) => {
    const sentences = splitSentences(turn.text)
      .filter(isProse)
      .map((sentence) => ({ ...sentence, words: contentWords(sentence.text) }))
    return { turn, voices: voicesOf(turn), sentences, prose: sentences.map(({ text }) => text).join('\n') }
  })
}

function isProse({ kind, text }: Sentence): boolean {
  return kind === 'prose' && !/^[[(]/.test(text)
}
