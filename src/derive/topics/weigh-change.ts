// Whether the subject changes before a message: points for and against are added up (matching-options.ts
// says what each is worth). Only asked where somebody speaks who may change it: in a chat with an assistant
// that is the user, between people it is either.

import { IMPERSONAL_PRIOR, PERSONAL_SHARE, POINTS, type ResolvedMatching } from './matching-options.ts'
import type { MessageCues } from './message-cues.ts'
import type { ReadMessage, Speakers } from './topic-state.ts'

/** The place before a message, with what matters there. */
export interface Gap {
  readonly before: ReadMessage
  readonly message: ReadMessage
  readonly speakers: Speakers
  /** Likeness to the current topic, and by how much an earlier one is liker; 1 is "the same". */
  readonly likeness: number
  readonly likerElsewhere: number
}

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

/** An assistant has no life to tell of; whoever does is a person, and people bring up subjects themselves. */
function isBetweenPeople(speakers: Speakers): boolean {
  const { assistantMessages, personalMessages, hasSecondUserName } = speakers
  return hasSecondUserName || personalMessages >= PERSONAL_SHARE * (assistantMessages + IMPERSONAL_PRIOR)
}

/** Whether a message has the form of one that begins a matter. */
export function isOpening({ cues }: ReadMessage, speakers: Speakers): boolean {
  // "Show me the top 5" is a request, but not for anything that could be a subject.
  if (cues.isEmpty) return false
  // Where the cues are not understood, any message of some length may open a matter: likeness decides.
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
  const isAfterPause = message.saidAtMs - before.saidAtMs >= options.pauseMs
  return (
    (before.cues.isClosing ? POINTS.afterClosing : weighAnswer(before.cues, message.cues)) +
    (isAfterPause ? POINTS.afterPause : 0)
  )
}

function weighAnswer(before: MessageCues, cues: MessageCues): number {
  if (!before.isAsking) return 0
  return cues.isAsking || cues.isRequesting ? POINTS.askingBack : POINTS.answering
}

function weighTies({ message: { cues }, speakers }: Gap): number {
  // Between people "yes" and "that" open a sentence about anything.
  const isTakingUp = cues.isTakingUp && !isBetweenPeople(speakers)
  return (
    (cues.isThanking ? POINTS.thanking : 0) +
    (isTakingUp ? POINTS.takingUp : 0) +
    (cues.isReferringBack ? POINTS.referringBack : 0) +
    (cues.isShort ? POINTS.short : 0)
  )
}

/** Whether a message leans on something said before. */
export function isLeaning(message: ReadMessage, speakers: Speakers): boolean {
  const { cues } = message
  return !isOpening(message, speakers) || cues.isTakingUp || cues.isReferringBack
}
