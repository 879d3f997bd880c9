// Decides which topic a message belongs to, as messages arrive, without a model.
//
// Messages are processed one at a time, in order. Each stays with the current topic, returns to an earlier topic
// of the conversation, or begins a new one:
//
// 1. The subject of a message is its vector, plus a share of the next message's vector: a reply often says more
//    clearly what the question meant. So a message is assigned when it arrives, and re-evaluated when the next
//    one arrives; after that its topic is final.
// 2. Its similarity to the current topic combines the cosine with the topic's recent messages, decaying, and with
//    the whole topic, in units of the embedder's same-topic similarity.
// 3. Whether the subject changes is a sum of points (advance-course.ts): for cues that open a subject or follow a
//    closed one, against similarity, answers, thanks, pronouns and short messages. An assistant does not change
//    the subject: its reply stays with the question. If both sides talk about their own lives, two people are
//    talking, and either may.
// 4. If it changes, the message goes to the most similar earlier topic, if that is similar enough. A message that
//    depends on something said before ("yes, book it") needs less similarity than one that opens a subject.
//    Archived topics are candidates like any other. Otherwise the message begins a topic, whose key is its
//    position.
//
// Messages without spoken text (tool calls and results, system prompts) follow the previous message.
//
// Invariants:
// 1. The state is a function of the messages so far: processing them again, in any batches, gives the same
//    topics.
// 2. A result changes at most the topic of the message before the newest (and of those without spoken text that
//    follow it), and lists every such change.
// 3. A topic's key is the position of its first message.

import type { Role } from '../../domain/message.ts'
import { listWords } from '../../domain/words.ts'
import { advanceCourse, chooseTopic, startCourse } from './advance-course.ts'
import type { ResolvedMatching } from './matching-options.ts'
import { readCues } from './message-cues.ts'
import type { ReadMessage, TopicCourse, TopicMessage, TopicState } from './topic-state.ts'
import { makeTopicTitle } from './topic-title.ts'
import type { Centroid } from './vectors.ts'

/** The current topic of a message. */
export interface TopicAssignment {
  readonly position: number
  /** The key of the topic: the position of its first message. */
  readonly topic: number
}

export interface TopicMatch {
  readonly state: TopicState
  /** The new message, preceded by those whose topic changed. */
  readonly assignments: readonly TopicAssignment[]
}

export const NO_TOPICS: TopicState = Object.freeze({ leading: Object.freeze([]) })

/** A long message says more than a short one, but not proportionally. */
const WEIGHED_WORDS = 60
/** Enough characters for that many words. */
const COUNTED_CHARACTERS = 1000

/** Processes the next message of a conversation. */
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

/** The subject of a message and its weight; undefined for one without spoken text. */
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

/** A message without spoken text has the topic of the previous one, even if that changes. */
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

/** Makes the topic of the message before the newest final, now that the newest shows more about it. */
function settleNewest(
  { settled, newest: message, leading }: TopicState,
  next: ReadMessage,
  options: ResolvedMatching,
): TopicCourse | undefined {
  if (message === undefined) return settled
  if (settled === undefined) return startCourse(message, leading[0] ?? message.position)
  return advanceCourse(settled, { message, next }, options)
}

/** Makes the topic of the newest message final without waiting for the next. */
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
