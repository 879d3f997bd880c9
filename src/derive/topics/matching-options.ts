// The numbers of topic matching. Evidence is counted in plain points: a clear sign is worth 2, a fair one 1,
// a faint one a half, and the subject changes when the sum is above 0. They were chosen as round numbers and
// checked on development sets (evals/topics.mjs); none is fitted.

import type { Embedder } from '../../model/embedder.ts'
import type { ResolvedTopics } from '../../options/derive-options.ts'

/** What matching goes by: the options, and what the embedder declares of its vectors. */
export interface ResolvedMatching
  extends Pick<ResolvedTopics, 'pauseMs' | 'recencyDecay' | 'wholeShare' | 'nextMessageShare'> {
  /** The cosine from which on two texts are more likely about one subject. */
  readonly sameTopicSimilarity: number
  /** The cosine that two unrelated texts have; with neural embedders well above 0. */
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
  | 'thanking'
  | 'answering'
  | 'askingBack'
  | 'takingUp'
  | 'referringBack'
  | 'short'
  | 'likerElsewhere'

/** Points for and against a change of subject. */
export const POINTS: Readonly<Record<Evidence, number>> = Object.freeze({
  inertia: -0.5, // most messages go on with what was spoken of
  likeness: -2, // for each multiple of the same-topic similarity to the current topic
  opening: 2, // a request, or between people a question about the other
  introducing: 1, // "a train", not "the train"
  greeting: 2,
  shifting: 1,
  afterClosing: 1, // "anything else?" hands over to whatever comes
  afterPause: 1,
  thanking: -2, // thanks belong to what they are for
  answering: -2, // a question wants an answer, not a new subject
  askingBack: -0.5, // … and what is asked upon a question is often about it
  takingUp: -1,
  referringBack: -0.5,
  short: -1,
  likerElsewhere: 4, // for being more like an earlier topic by a whole same-topic similarity
})

/** What an earlier topic needs to be returned to, in multiples of the same-topic similarity. */
export const RETURNS: Readonly<Record<'asEvidence' | 'whenOpening' | 'whenLeaning', number>> = Object.freeze({
  /** To count as evidence that the subject changes at all. */
  asEvidence: 0.5,
  /** A message that opens a matter by its form returns only to what is really alike. */
  whenOpening: 0.75,
  /** One that leans on something said before must have it somewhere: little likeness is enough. */
  whenLeaning: 0.25,
})

/** From this share of personal messages on, the other side is taken for a person, who may change the subject too. */
export const PERSONAL_SHARE = 0.25
/** Messages that count as impersonal before the first, so that one "my pleasure" does not make a person. */
export const IMPERSONAL_PRIOR = 2
