// The numbers of topic matching. Evidence is counted in points: a clear sign is worth 2, a fair one 1, a weak one
// a half, and the subject changes if the sum is above 0. They were chosen as round numbers and checked on
// development sets (evals/topics.mjs); none is fitted.

import type { Embedder } from '../../model/models.ts'
import type { ResolvedTopics } from '../../options/derive-options.ts'

/** What matching uses: the options, and what the embedder declares about its vectors. */
export interface ResolvedMatching
  extends Pick<ResolvedTopics, 'pauseMs' | 'recencyDecay' | 'wholeShare' | 'nextMessageShare'> {
  /** The cosine above which two texts are more likely about the same subject. */
  readonly sameTopicSimilarity: number
  /** The cosine of two unrelated texts; well above 0 for neural embedders. */
  readonly unrelatedSimilarity: number
}

export function resolveMatching(
  topics: ResolvedTopics,
  embedder: Pick<Embedder, 'sameTopicSimilarity' | 'unrelatedSimilarity'>,
): ResolvedMatching {
  const { sameTopicSimilarity, unrelatedSimilarity } = embedder
  return { ...topics, sameTopicSimilarity: topics.sameSimilarity || sameTopicSimilarity, unrelatedSimilarity }
}

type Evidence =
  | 'inertia'
  | 'likeness'
  | 'opening'
  | 'introducing'
  | 'greeting'
  | 'shifting'
  | 'afterClosing'
  | 'afterPause'
  | 'anotherDay'
  | 'thanking'
  | 'answering'
  | 'askingBack'
  | 'takingUp'
  | 'referringBack'
  | 'short'
  | 'likerElsewhere'

/** Points for and against a change of subject. */
export const POINTS: Readonly<Record<Evidence, number>> = Object.freeze({
  inertia: -0.5, // most messages continue the current subject
  likeness: -2, // for each multiple of the same-topic similarity to the current topic
  opening: 2, // a request, or between people a question about the other
  introducing: 1, // "a train", not "the train"
  greeting: 2,
  shifting: 1,
  afterClosing: 1, // "anything else?" leaves the next subject open
  afterPause: 2, // people come back because of something new …
  anotherDay: 1, // … the more so the longer they were away
  thanking: -2, // thanks belong to the subject they are for
  answering: -2, // a question is followed by an answer, not by a new subject
  askingBack: -0.5, // … and a question after a question is often about it
  takingUp: -1,
  referringBack: -0.5,
  short: -1,
  likerElsewhere: 4, // for each same-topic similarity by which an earlier topic is closer
})

/** The similarity needed to return to an earlier topic, in multiples of the same-topic similarity. */
export const RETURNS: Readonly<Record<'asEvidence' | 'whenOpening' | 'whenLeaning', number>> = Object.freeze({
  /** To count as evidence that the subject changes at all. */
  asEvidence: 0.5,
  /** A message in the form of an opening returns only to a really similar topic. */
  whenOpening: 0.75,
  /** A message that depends on something said before belongs to some topic, so little similarity is enough. */
  whenLeaning: 0.25,
})

/** Above this share of personal messages, the other side is considered a person, who may change the subject too. */
export const PERSONAL_SHARE = 0.25
/** Impersonal messages assumed before the first, so that one "my pleasure" does not make a person. */
export const IMPERSONAL_PRIOR = 2
