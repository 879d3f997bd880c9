import { joinWords, type SentenceWord } from './sentence-words.ts'
import { toThirdPerson, type Voices } from './to-third-person.ts'

/** The speech act. `tell` is a statement about the world, `own` one about the speaker. */
export type SpeechAct = 'ask' | 'request' | 'suggest' | 'own' | 'tell'

/** A sentence as reported speech. */
export interface Report {
  readonly text: string
  readonly act: SpeechAct
}

interface Said {
  readonly rest: readonly SentenceWord[]
  readonly voices: Voices
  readonly act: SpeechAct
}

/** Joins the start of a report and the rest in the third person; undefined if that fails. */
export function say(start: string, { rest, voices, act }: Said): Report | undefined {
  const core = rest.filter(({ word }) => word.toLowerCase() !== 'please')
  const reported = toThirdPerson(core, voices)
  if (reported === undefined || reported.length === 0) return undefined
  return { text: `${start} ${joinWords(reported)}`.trim(), act }
}

/** Adds a capital and a period. */
export function finishReport(text: string): string {
  const point = /[.!?]$/.test(text) ? '' : '.'
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}${point}`
  const isOne = !sentence.includes('. the')
  return shortenRoles(
    isOne ? sentence : sentence.replaceAll(/(?<=[a-z]{2}\. )the(?=y\b| user\b| assistant\b)/g, 'The'),
  )
}

/** "The user wants to fix the user's app" → "their app", if nobody else is mentioned in between. */
function shortenRoles(sentence: string): string {
  if (!/(?:user|assistant)'s/i.test(sentence)) return sentence
  let last = ''
  return sentence.replaceAll(
    /\bthe (user|assistant)('s)?\b/gi,
    (label: string, role: string, ending?: string) => {
      const isSame = last === role
      last = role
      return isSame && ending !== undefined ? 'their' : label
    },
  )
}
