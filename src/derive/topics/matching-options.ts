// The numbers of topic matching. Evidence is counted in plain points: a clear sign is worth 2, a fair one 1,
// a faint one a half, and the subject changes when the sum is above 0. They were chosen as round numbers and
// checked on development sets (evals/topics.mjs); none is fitted.

export interface MatchingOptions {
  /** From the embedder: the cosine from which on two texts are more likely about one subject. @default 0.2 */
  readonly sameTopicSimilarity?: number
  /** The cosine that two unrelated texts have with the embedder; neural ones lie well above 0. @default 0 */
  readonly unrelatedSimilarity?: number
  /** How much a topic's last words fade with each further message. @default 0.8 */
  readonly recentKept?: number
  /** How much of the likeness to the current topic is likeness to all of it, not to its last words. @default 0.5 */
  readonly wholeTopicShare?: number
  /** How much the next message counts when it is weighed what a message is about. @default 0.7 */
  readonly nextMessageShare?: number
  /** A pause after which people tend to begin something new. @default 10800000 */
  readonly pauseMs?: number
}

export type ResolvedMatching = Required<MatchingOptions>

export const MATCHING_DEFAULTS: ResolvedMatching = Object.freeze({
  sameTopicSimilarity: 0.2, // the built-in embedder's
  unrelatedSimilarity: 0,
  recentKept: 0.8, // three messages back counts half
  wholeTopicShare: 0.5, // topics drift: what was said last counts as much as all of it
  nextMessageShare: 0.7, // a reply takes up the words it answers, in better words
  pauseMs: 3 * 3_600_000, // sessions are told apart by three hours
})

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

/** Fills in what was left out. */
export function resolveMatching(options: MatchingOptions = {}): ResolvedMatching {
  return { ...MATCHING_DEFAULTS, ...options }
}
