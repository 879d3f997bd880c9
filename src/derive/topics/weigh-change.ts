// Whether the subject changes before a message: adds up points for and against (see matching-options.ts for their
// values). Called only if the speaker may change the subject: in a chat with an assistant that is the user,
// between people either side.

import { IMPERSONAL_PRIOR, PERSONAL_SHARE, POINTS, type ResolvedMatching } from './matching-options.ts'
import type { MessageCues } from './message-cues.ts'
import type { ReadMessage, Speakers } from './topic-state.ts'

/** The boundary before a message, with the evidence there. */
export interface Gap {
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
export function weighChange(gap: Gap, options: ResolvedMatching): number {
  return (
    POINTS.inertia +
    POINTS.likeness * Math.max(0, gap.likeness) +
    POINTS.likerElsewhere * Math.min(1, gap.likerElsewhere) +
    weighOpening(gap) +
    weighCircumstances(gap, options) +
    weighTies(gap)
  )
}

export function mayChangeSubject({ role }: ReadMessage, speakers: Speakers): boolean {
  return role === 'user' || isBetweenPeople(speakers)
}

/** An assistant has no life to talk about. A speaker who does is a person, and people change the subject themselves. */
function isBetweenPeople(speakers: Speakers): boolean {
  const { assistantMessages, personalMessages, hasSecondUserName } = speakers
  return hasSecondUserName || personalMessages >= PERSONAL_SHARE * (assistantMessages + IMPERSONAL_PRIOR)
}

/** Whether a message has the form of one that opens a subject. */
export function isOpening({ cues }: ReadMessage, speakers: Speakers): boolean {
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
export function isLeaning(message: ReadMessage, speakers: Speakers): boolean {
  const { cues } = message
  return !isOpening(message, speakers) || cues.isTakingUp || cues.isReferringBack
}
