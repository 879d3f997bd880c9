import type { Summary, Topic, TopicChanges, TopicCurve } from '../../../index.ts'
import type { CallOptions, Sender } from './send-request.ts'
import type { Wire, WireMessage } from './wire.ts'

type Signal = Pick<CallOptions, 'signal'>

export interface CurveSpan extends Signal {
  readonly from?: string | Date
  readonly to?: string | Date
  readonly points?: number
}

/** The topics of one conversation over HTTP. */
export interface TopicCalls {
  /** By last use, newest first; including archived ones. */
  list(options?: Signal): Promise<readonly Wire<Topic>[]>
  curves(span?: CurveSpan): Promise<readonly Wire<TopicCurve>[]>
  get(topicId: string, options?: Signal): Promise<Wire<Topic>>
  messages(topicId: string, options?: Signal): Promise<readonly WireMessage[]>
  summary(topicId: string, options?: Signal): Promise<Wire<Summary>>
  change(topicId: string, changes: TopicChanges): Promise<Wire<Topic>>
  /** Moves all messages of `fromId` to `intoId`. */
  merge(intoId: string, fromId: string): Promise<Wire<Topic>>
  /** Moves messages of one topic to a new topic. */
  split(messageIds: readonly string[]): Promise<Wire<Topic>>
  move(messageId: string, topicId: string): Promise<Wire<Topic>>
  /** Restores a faded topic, as if it had just been mentioned. */
  restore(topicId: string): Promise<Wire<Topic>>
  /** Undoes the last restore, until the topic is used again. */
  undoRestore(topicId: string): Promise<Wire<Topic>>
}

export function openTopicCalls(sender: Sender, conversation: string): TopicCalls {
  const all = `${conversation}/topics`
  const one = (topicId: string) => `${all}/${encodeURIComponent(topicId)}`
  return {
    list: async (options) => (await sender.request<{ topics: Wire<Topic>[] }>('GET', all, options)).topics,
    curves: async ({ signal, ...query } = {}) => {
      const path = `${conversation}/topic-curves`
      return (await sender.request<{ curves: Wire<TopicCurve>[] }>('GET', path, { query, signal })).curves
    },
    get: (topicId, options) => sender.request('GET', one(topicId), options),
    messages: async (topicId, options) =>
      (await sender.request<{ messages: WireMessage[] }>('GET', `${one(topicId)}/messages`, options))
        .messages,
    summary: async (topicId, options) =>
      (await sender.request<{ summary: Wire<Summary> }>('GET', `${one(topicId)}/summary`, options)).summary,
    change: (topicId, changes) => sender.request('PATCH', one(topicId), { body: changes }),
    merge: (intoId, fromId) => sender.request('POST', `${one(intoId)}/merge`, { body: { from: fromId } }),
    split: (messageIds) => sender.request('POST', all, { body: { messageIds } }),
    move: (messageId, topicId) => sender.request('POST', `${one(topicId)}/messages`, { body: { messageId } }),
    restore: (topicId) => sender.request('POST', `${one(topicId)}/restore`),
    undoRestore: (topicId) => sender.request('DELETE', `${one(topicId)}/restore`),
  }
}
