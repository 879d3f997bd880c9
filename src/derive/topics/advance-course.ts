import {
  IMPERSONAL_PRIOR,
  PERSONAL_SHARE,
  POINTS,
  RETURNS,
  type ResolvedMatching,
} from './matching-options.ts'
import type { MessageCues } from './message-cues.ts'
import type { MatchedTopic, ReadMessage, Speakers, TopicCourse } from './topic-state.ts'
import { addCentroids, type Centroid, similarity } from './vectors.ts'

/** A message with the next one, if that is known. */
export interface Step {
  readonly message: ReadMessage
  readonly next?: ReadMessage
}

interface LikeTopic {
  readonly topic: MatchedTopic
  readonly likeness: number
}

const NOBODY: Speakers = {
  assistantMessages: 0,
  personalMessages: 0,
  userMessages: 0,
  understoodMessages: 0,
  hasSecondUserName: false,
}

/** The course of a conversation that begins with this message. */
export function startCourse(message: ReadMessage, start: number): TopicCourse {
  const topic = { start, title: message.title, centroid: message.centroid }
  const speakers = hear(NOBODY, message)
  return { topics: [topic], current: start, recent: message.centroid, last: message, speakers }
}

/** The course after one more message, which stays, returns to an earlier topic, or begins a new one. */
export function advanceCourse(course: TopicCourse, step: Step, options: ResolvedMatching): TopicCourse {
  const { message } = step
  const speakers = hear(course.speakers, message)
  const start = chooseTopic(course, step, options)
  return {
    topics: addToTopic(course.topics, start, message),
    current: start,
    recent: addCentroids(recentOf(course, start, message), message.centroid, options.recencyDecay),
    last: message,
    speakers,
  }
}

/** The start of the topic that the message belongs to; its own position if it begins one. */
export function chooseTopic(course: TopicCourse, step: Step, options: ResolvedMatching): number {
  const { message } = step
  const speakers = hear(course.speakers, message)
  if (!mayChangeSubject(message, speakers)) return course.current
  const about = aboutOf(step, options)
  const toLikeness = (cosine: number): number =>
    (cosine - options.unrelatedSimilarity) / (options.sameTopicSimilarity - options.unrelatedSimilarity)
  const likeness = toLikeness(similarityToCurrent(course, about, options))
  const liker = findLikest(course, about, toLikeness)
  const isEvidence = liker !== undefined && liker.likeness > RETURNS.asEvidence
  const likerElsewhere = isEvidence ? Math.max(0, liker.likeness - likeness) : 0
  const gap = { before: course.last, message, speakers, likeness, likerElsewhere }
  if (weighChange(gap, options) <= 0) return course.current
  const needed = isLeaning(message, speakers) ? RETURNS.whenLeaning : RETURNS.whenOpening
  const isReturn = liker !== undefined && liker.likeness > Math.max(needed, likeness)
  return isReturn ? liker.topic.start : message.position
}

function aboutOf({ message, next }: Step, options: ResolvedMatching): Centroid {
  if (next === undefined) return message.centroid
  return addCentroids(next.centroid, message.centroid, options.nextMessageShare)
}

function similarityToCurrent(course: TopicCourse, about: Centroid, options: ResolvedMatching): number {
  const whole = course.topics.find(({ start }) => start === course.current)?.centroid ?? course.recent
  const share = options.wholeShare
  const toLastWords = similarity(about.direction, course.recent.direction)
  return (1 - share) * toLastWords + share * similarity(about.direction, whole.direction)
}

/** The earlier topic that is most similar to the message; the later one if two are equal. */
function findLikest(
  { topics, current }: TopicCourse,
  about: Centroid,
  toLikeness: (cosine: number) => number,
): LikeTopic | undefined {
  let best: MatchedTopic | undefined
  let highest = Number.NEGATIVE_INFINITY
  for (const topic of topics) {
    if (topic.start === current) continue
    const cosine = similarity(about.direction, topic.centroid.direction)
    if (cosine < highest) continue
    best = topic
    highest = cosine
  }
  return best === undefined ? undefined : { topic: best, likeness: toLikeness(highest) }
}

/** The recent centroid of the topic. It is not kept for earlier topics, so their whole centroid is used instead. */
function recentOf(course: TopicCourse, start: number, message: ReadMessage): Centroid {
  if (start === course.current) return course.recent
  const earlier = course.topics.find((topic) => topic.start === start)
  return {
    direction: earlier?.centroid.direction ?? message.centroid.direction,
    weight: message.centroid.weight,
  }
}

function addToTopic(
  topics: readonly MatchedTopic[],
  start: number,
  message: ReadMessage,
): readonly MatchedTopic[] {
  const { centroid, title } = message
  const index = topics.findIndex((topic) => topic.start === start)
  const topic = topics[index]
  if (topic === undefined) return [...topics, { start, title, centroid }]
  return topics.with(index, { ...topic, centroid: addCentroids(topic.centroid, centroid) })
}

function hear(speakers: Speakers, { role, name, cues }: ReadMessage): Speakers {
  const isUser = role === 'user'
  const first = speakers.firstUserName ?? (isUser ? name : undefined)
  return {
    assistantMessages: speakers.assistantMessages + Number(!isUser),
    personalMessages: speakers.personalMessages + Number(!isUser && cues.isPersonal),
    userMessages: speakers.userMessages + Number(isUser),
    understoodMessages: speakers.understoodMessages + Number(isUser && cues.isUnderstood),
    hasSecondUserName: speakers.hasSecondUserName || (isUser && name !== undefined && name !== first),
    ...(first === undefined ? {} : { firstUserName: first }),
  }
}

// Whether the subject changes before a message: adds up points for and against (see matching-options.ts for their
// values). Called only if the speaker may change the subject: in a chat with an assistant that is the user,
// between people either side.

/** The boundary before a message, with the evidence there. */
interface Gap {
  readonly before: ReadMessage
  readonly message: ReadMessage
  readonly speakers: Speakers
  /** Similarity to the current topic, and how much closer an earlier one is; 1 is "the same". */
  readonly likeness: number
  readonly likerElsewhere: number
}

/** From evening to evening, give or take. */
const ANOTHER_DAY_MS = 16 * 3_600_000

/** Above 0: the subject changes. */
function weighChange(gap: Gap, options: ResolvedMatching): number {
  return (
    POINTS.inertia +
    POINTS.likeness * Math.max(0, gap.likeness) +
    POINTS.likerElsewhere * Math.min(1, gap.likerElsewhere) +
    weighOpening(gap) +
    weighCircumstances(gap, options) +
    weighTies(gap)
  )
}

function mayChangeSubject({ role }: ReadMessage, speakers: Speakers): boolean {
  return role === 'user' || isBetweenPeople(speakers)
}

/** An assistant has no life to talk about. A speaker who does is a person, and people change the subject themselves. */
function isBetweenPeople(speakers: Speakers): boolean {
  const { assistantMessages, personalMessages, hasSecondUserName } = speakers
  return hasSecondUserName || personalMessages >= PERSONAL_SHARE * (assistantMessages + IMPERSONAL_PRIOR)
}

/** Whether a message has the form of one that opens a subject. */
function isOpening({ cues }: ReadMessage, speakers: Speakers): boolean {
  // "Show me the top 5" is a request, but does not name a subject.
  if (cues.isEmpty) return false
  // If the cues are not understood, any longer message may open a subject, and similarity decides.
  if (!isUnderstood(speakers)) return !cues.isShort
  if (isBetweenPeople(speakers)) return cues.isRequesting || cues.isAskingOther
  return cues.isRequesting || (cues.isAsking && !cues.isReferringBack)
}

const isUnderstood = ({ userMessages, understoodMessages }: Speakers): boolean =>
  understoodMessages * 2 >= userMessages

function weighOpening({ message, speakers }: Gap): number {
  const { cues } = message
  return (
    (isOpening(message, speakers) ? POINTS.opening : 0) +
    (cues.isIntroducing ? POINTS.introducing : 0) +
    (cues.isGreeting ? POINTS.greeting : 0) +
    (cues.isShifting ? POINTS.shifting : 0)
  )
}

function weighCircumstances({ before, message }: Gap, options: ResolvedMatching): number {
  const pauseMs = message.saidAtMs - before.saidAtMs
  return (
    (before.cues.isClosing ? POINTS.afterClosing : weighAnswer(before.cues, message.cues)) +
    (pauseMs >= options.pauseMs ? POINTS.afterPause : 0) +
    (pauseMs >= ANOTHER_DAY_MS ? POINTS.anotherDay : 0)
  )
}

function weighAnswer(before: MessageCues, cues: MessageCues): number {
  if (!before.isAsking) return 0
  return cues.isAsking || cues.isRequesting ? POINTS.askingBack : POINTS.answering
}

function weighTies({ message: { cues }, speakers }: Gap): number {
  // Between people, "yes" and "that" can open a sentence about anything.
  const isTakingUp = cues.isTakingUp && !isBetweenPeople(speakers)
  return (
    (cues.isThanking ? POINTS.thanking : 0) +
    (isTakingUp ? POINTS.takingUp : 0) +
    (cues.isReferringBack ? POINTS.referringBack : 0) +
    (cues.isShort ? POINTS.short : 0)
  )
}

/** Whether a message depends on something said before. */
function isLeaning(message: ReadMessage, speakers: Speakers): boolean {
  const { cues } = message
  return !isOpening(message, speakers) || cues.isTakingUp || cues.isReferringBack
}
