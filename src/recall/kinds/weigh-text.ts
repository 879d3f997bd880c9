// Scores facts, notes, summaries, chunks and queries. These texts have no neighbours, so their own words count for what
// a message gets from the words around it. The scores are comparable with those of messages.

import type { Reason } from '../../domain/recall.ts'
import type { ResolvedRecall } from '../../options/recall-options.ts'
import type { Question } from '../question/read-question.ts'
import { lookupOf, type TermLookup, weighWords } from '../rank/own-words.ts'
import type { TermMatches } from '../rank/word-matches.ts'
import { round } from '../reasons.ts'

export interface TextJudge {
  readonly lookup: TermLookup
  readonly weightOf: (term: number) => number
  /** `nearness` is the similarity in meaning, 0 to 1, if known. */
  judge(text: string, nearness?: number): Judged
}

export interface Judged {
  readonly score: number
  /** Similarity to the question by words or meaning: 0 to 1. */
  readonly similarity: number
  readonly why: readonly Reason[]
}

/** Scores texts by the words of the question and by meaning. Words that no message has weigh most. */
export function textJudge(
  question: Question,
  matches: readonly TermMatches[],
  options: ResolvedRecall,
): TextJudge {
  const lookup = lookupOf(matches, options.synonymWeight)
  const totalWeight = matches.reduce((sum, { weight }) => sum + weight, 0) || 1
  const evidence = { matches, totalWeight }
  const most = mostWords(options)
  return {
    lookup,
    weightOf: (term) => matches[term]?.weight ?? 0,
    judge(text, nearness = 0) {
      const { coverage, found, pairs } = weighWords(text, lookup, { question, evidence, meanWords: 60 })
      const words = most * coverage + options.phraseWeight * pairs
      const stated = options.lengthWeight + options.personWeight
      const meaning = options.meaningWeight * nearness
      const has = `has ${found.map((word) => `"${word}"`).join(', ')}`
      const near: Reason = { signal: 'meaning', score: round(meaning), text: 'close in meaning' }
      const why: Reason[] = [
        ...(found.length > 0 ? [{ signal: 'words' as const, score: round(words), text: has }] : []),
        ...(nearness > 0 ? [near] : []),
        { signal: 'substance', score: round(stated), text: 'a statement, not a question' },
      ]
      return {
        score: words + meaning + stated,
        similarity: Math.max(Math.sqrt(coverage), nearness),
        why: found.length > 0 || nearness > 0 ? why : [],
      }
    },
  }
}

const mostWords = ({ wordsWeight, neighboursWeight, sessionWeight }: ResolvedRecall): number =>
  wordsWeight + neighboursWeight + sessionWeight

/** The highest possible score of a message for this question; scores are normalized by it. */
export function idealScore(question: Question, options: ResolvedRecall, isSpeakerNamed: boolean): number {
  const { cues, pairs, spans } = question
  return (
    mostWords(options) +
    options.meaningWeight +
    options.personWeight +
    options.lengthWeight +
    (pairs.length > 0 ? options.phraseWeight : 0) +
    (spans.length > 0 ? options.timeWeight : 0) +
    (isSpeakerNamed ? options.speakerWeight : 0) +
    (cues.asksWhen || cues.asksHowMany || cues.asksName ? options.answerWeight : 0) +
    (cues.asksAdvice ? options.preferenceWeight : 0)
  )
}
