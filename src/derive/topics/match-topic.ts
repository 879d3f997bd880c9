// Which topic a message belongs to, decided as messages come in, without a model.
//
// Messages are fed one at a time, in order. Each stays with the current topic, goes back to an earlier topic
// of the conversation, or begins a new one:
//
// 1. What a message is about is its vector, with the next message's added at a share: a reply says in better
//    words what the question meant. So a message is placed when it comes, and weighed once more when the next
//    one is there; from then on its place stays.
// 2. Its likeness to the current topic is the cosine with the topic's last words, fading, and with all of
//    the topic; in units of the embedder's same-topic similarity.
// 3. Whether the subject changes is a sum of points (weigh-change.ts): for cues that open a matter or follow
//    a closed one, against likeness, answers, thanks, pronouns and short messages. An assistant does not
//    change the subject: its reply stays with the question. Where both sides tell of their own lives, two
//    people are talking, and either may.
// 4. If it changes, the message goes to the earlier topic it is most like, when it is like enough; a message
//    that leans on something said before ("yes, book it") needs less likeness than one that opens a matter.
//    Archived topics take part like any other. Otherwise it begins a topic, whose key is its position.
//
// Messages without words of a speaker (tool calls and results, system prompts) go with the one before them.
//
// Invariants:
// 1. The state is a function of the messages so far: feeding them again, in whatever portions, gives the
//    same topics.
// 2. A report changes at most the place of the message before the newest (and of those without words that
//    follow it); it lists every such change.
// 3. A topic's key is the position of its first message.

import type { Role } from '../../domain/message.ts'
import { listWords } from '../../domain/words.ts'
import { advanceCourse, chooseTopic, startCourse } from './advance-course.ts'
import type { ResolvedMatching } from './matching-options.ts'
import { readCues } from './message-cues.ts'
import type { ReadMessage, TopicCourse, TopicMessage, TopicState } from './topic-state.ts'
import { makeTopicTitle } from './topic-title.ts'
import type { Centroid } from './vectors.ts'

/** Where a message belongs now. */
export interface TopicAssignment {
  readonly position: number
  /** The key of the topic: the position of its first message. */
  readonly topic: number
}

export interface TopicMatch {
  readonly state: TopicState
  /** The new message, and before it those that had to move. */
  readonly assignments: readonly TopicAssignment[]
}

export const NO_TOPICS: TopicState = Object.freeze({ leading: Object.freeze([]) })

/** A long message says more than a short one, but not in proportion. */
const WEIGHED_WORDS = 60
/** Enough characters to count as many words. */
const COUNTED_CHARACTERS = 1000

/** Takes in the next message of a conversation. */
export function matchTopic(state: TopicState, message: TopicMessage, options: ResolvedMatching): TopicMatch {
  const words = countWords(message.role, message.text)
  if (words === 0) return followNewest(state, message.position)
  const newest = readMessage(message, words)
  const settled = settleNewest(state, newest, options)
  const topic = placeNewest(settled, newest, { state, options })
  const moved = settled === undefined ? [] : listMoved(state, settled.current)
  return {
    state: { ...(settled && { settled }), newest, newestTopic: topic, leading: state.leading },
    assignments: [...moved, { position: message.position, topic }],
  }
}

/** What a message is about and how much it says; undefined for one without words of a speaker. */
export function centroidOf(role: Role, text: string, direction: Float32Array): Centroid | undefined {
  const words = countWords(role, text)
  return words === 0 ? undefined : { direction, weight: Math.sqrt(words) }
}

function countWords(role: Role, text: string): number {
  if (role === 'system' || role === 'tool') return 0
  return Math.min(WEIGHED_WORDS, listWords(text.slice(0, COUNTED_CHARACTERS)).length)
}

function readMessage(message: TopicMessage, words: number): ReadMessage {
  const { role, name, position, text, vector } = message
  return {
    role,
    ...(name === undefined ? {} : { name }),
    saidAtMs: message.saidAt.getTime(),
    position,
    followers: [],
    title: makeTopicTitle(text),
    centroid: { direction: vector, weight: Math.sqrt(words) },
    cues: readCues(text),
  }
}

/** A message without words goes where the one before it goes, also when that one moves. */
function followNewest(state: TopicState, position: number): TopicMatch {
  const { newest, newestTopic, leading, settled } = state
  if (newest === undefined && settled !== undefined) {
    return { state, assignments: [{ position, topic: settled.current }] }
  }
  if (newest === undefined || newestTopic === undefined) {
    const start = leading[0] ?? position
    return { state: { leading: [...leading, position] }, assignments: [{ position, topic: start }] }
  }
  const followed = { ...newest, followers: [...newest.followers, position] }
  return { state: { ...state, newest: followed }, assignments: [{ position, topic: newestTopic }] }
}

/** Gives the message before the newest its lasting place, now that the newest tells more about it. */
function settleNewest(
  { settled, newest: message, leading }: TopicState,
  next: ReadMessage,
  options: ResolvedMatching,
): TopicCourse | undefined {
  if (message === undefined) return settled
  if (settled === undefined) return startCourse(message, leading[0] ?? message.position)
  return advanceCourse(settled, { message, next }, options)
}

/** The state in which the newest message has its lasting place already, without waiting for the next. */
export function settleNow(state: TopicState, options: ResolvedMatching): TopicState {
  const { settled, newest: message, leading } = state
  if (message === undefined) return state
  const course =
    settled === undefined
      ? startCourse(message, leading[0] ?? message.position)
      : advanceCourse(settled, { message }, options)
  return { settled: course, leading }
}

function placeNewest(
  settled: TopicCourse | undefined,
  newest: ReadMessage,
  { state, options }: { readonly state: TopicState; readonly options: ResolvedMatching },
): number {
  if (settled === undefined) return state.leading[0] ?? newest.position
  return chooseTopic(settled, { message: newest }, options)
}

function listMoved({ newest, newestTopic }: TopicState, topic: number): TopicAssignment[] {
  if (newest === undefined || newestTopic === topic) return []
  return [newest.position, ...newest.followers].map((position) => ({ position, topic }))
}
