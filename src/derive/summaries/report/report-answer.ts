// A question and the "yes" or "no" to it say one thing together: "Have you been to Rome?" – "No, never." →
// "Ben hasn't been to Rome". Only for questions about the one who answers, and only where what comes out is
// grammatical and true: no alternatives, no negative questions, no words that want the other answer.

import { cleanSentence } from './clean-sentence.ts'
import { finishReport, type Report } from './report.ts'
import { reportQuestion } from './report-question.ts'
import { joinWords, type SentenceWord, toWords } from './sentence-words.ts'
import { toStatement } from './to-statement.ts'
import { toThirdPerson, type Voices } from './to-third-person.ts'

const YES =
  /^(?:(?:oh|well|ah),? )?(?:(?:yes|yeah|yep|yup|of course|certainly|absolutely|definitely|exactly|that's right)(?=\s*(?:[,.!;…-]|$))|i (?:do|am|have|did|will|can|was)[.,!])/i
const NO =
  /^(?:(?:oh|well|ah|sorry|i'm afraid),? )?(?:(?:no|nope|not really|not yet|of course not|never)(?=\s*(?:[,.!;…-]|$))|i(?:'m not| (?:don't|haven't|didn't|can't|won't|wasn't))[.,!])/i
/** "Do you mind?" – "No" grants; an alternative is not answered by yes or no. */
const UNANSWERABLE = /^\w+n't\b|\b(?:mind|or|really|else|too|either|all|both|two|guys|each other|minute)\b/i
/** Questions ask "any" and "ever"; only a no can keep them. */
const ASKING_WORDS = /\b(?:any\w*|yet|at all)\b/i
const SAYING_WORDS = /\b(?:some\w*|already|still)\b/i

const NEGATIVES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    are: "isn't",
    were: "wasn't",
    have: "hasn't",
    had: "hadn't",
    do: "doesn't",
    did: "didn't",
    can: "can't",
    could: "couldn't",
    will: "won't",
    would: "wouldn't",
    should: "shouldn't",
  }),
)

/** What an answer tells, given the question before it and who asked whom. */
export function reportAnswer(question: string, answer: string, voices: Voices): Report | undefined {
  if (!question.includes('?')) return undefined
  const asked = cleanSentence(question)
  if (!asked.endsWith('?') || UNANSWERABLE.test(asked)) return undefined
  const words = toWords(asked.replace(/[\s.!?…]+$/, ''))
  // A request that is granted is not yet done.
  if (reportQuestion(words, voices)?.act !== 'ask') return undefined
  if (words[1]?.word.toLowerCase() !== 'you' || words.length < 4) return undefined
  const said = cleanApostrophes(answer)
  const statement = (YES.test(said) && affirm(words, asked)) || (NO.test(said) && deny(words, asked))
  const reported = statement ? toThirdPerson(statement, voices) : undefined
  return reported && { text: finishReport(joinWords(reported)), act: 'own' }
}

function affirm(words: readonly SentenceWord[], asked: string): readonly SentenceWord[] | undefined {
  if (ASKING_WORDS.test(asked)) return undefined
  return toStatement(words)?.filter(({ word }) => word.toLowerCase() !== 'ever')
}

function deny(words: readonly SentenceWord[], asked: string): readonly SentenceWord[] | undefined {
  const [helper, subject, ...rest] = words
  const negative = NEGATIVES.get(helper?.word.toLowerCase() ?? '')
  if (negative === undefined || subject === undefined || SAYING_WORDS.test(asked)) return undefined
  return [subject, { before: '', word: negative, after: '' }, ...rest]
}

function cleanApostrophes(text: string): string {
  return text.replaceAll(/[’‘`]/g, "'")
}
