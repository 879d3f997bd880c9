import { matchAll } from '../../domain/words.ts'
import { toSingleSpaces } from '../single-spaces.ts'
import { contentWords } from './content-words.ts'
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
    const isQuoted = findQuoted(turn.text)
    const sentences = splitSentences(turn.text)
      .filter((sentence) => isProse(sentence) && !isQuoted(sentence))
      .map((sentence) => ({ ...sentence, words: contentWords(sentence.text) }))
    return { turn, voices: voicesOf(turn), sentences, prose: sentences.map(({ text }) => text).join('\n') }
  })
}

function isProse({ kind, text }: Sentence): boolean {
  return kind === 'prose' && !/^[[(]/.test(text)
}

/** A quotation of several sentences: a page of a story, a letter. */
const LONG_QUOTATION = /(?<=^|[\s:(])["“„«][^"“”„«»]*?[.!?…]["']?\s[^"“”„«»]*["”“»]/gu

/** Whether a sentence is part of a longer quotation: its "I" is somebody else, and what it says is not said here. */
function findQuoted(text: string): (sentence: Sentence) => boolean {
  const quotations = matchAll(text, LONG_QUOTATION).map(({ index, 0: quoted }) => ({
    start: index,
    end: index + quoted.length,
  }))
  return ({ start, end }) => quotations.some((quoted) => start < quoted.end - 1 && end > quoted.start + 1)
}

const ROLE_LABELS = {
  user: 'the user',
  assistant: 'the assistant',
  system: 'the system',
  tool: 'the tool',
} as const

/**
 * Who speaks, and who is meant by "you", for each turn. Between two speakers, it is the other one; a single
 * speaker addresses the other role; among three or more, it is unknown.
 */
function findVoices(turns: readonly Turn[]): (turn: Turn) => Voices {
  const speakers = new Set(turns.filter(isSpoken).map(labelOf))
  return (turn) => {
    const speaker = labelOf(turn)
    const [other, another] = [...speakers].filter((label) => label !== speaker)
    if (another !== undefined) return { speaker }
    return { speaker, addressee: other ?? ROLE_LABELS[turn.role === 'user' ? 'assistant' : 'user'] }
  }
}

/** System prompts and tool results are not part of the conversation. */
function isSpoken({ role }: Turn): boolean {
  return role === 'user' || role === 'assistant'
}

function labelOf({ name, role }: Turn): string {
  const given = name && toSingleSpaces(name).trim()
  return given === undefined || given === '' ? ROLE_LABELS[role] : given
}
