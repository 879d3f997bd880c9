import { definedFields } from '../../domain/defined-fields.ts'
import {
  type ConversationMemory,
  isMemoryError,
  type JsonObject,
  type NewMessage,
  type RecollectMetadata,
} from '../../index.ts'
import type { ServerParts } from '../server-parts.ts'
import type { PassedAnswer } from './pass-on.ts'
import type { RememberedRequest } from './remember-request.ts'
import { identify, toAnswer } from './transcript.ts'

type KeepingParts = Pick<ServerParts, 'metrics' | 'log' | 'corrections'>

/** Records an answer that passed by; where not a word came, nothing. */
export async function keepAnswer(
  { metrics, log, corrections }: KeepingParts,
  remembered: RememberedRequest,
  { message, ending, promptTokens }: PassedAnswer,
): Promise<void> {
  const { handle, model, context, answerId, replaces } = remembered
  if (context !== undefined && promptTokens !== undefined) {
    metrics.counted(context.receipt.tokens, promptTokens)
    corrections.learn(model, context.receipt.tokens, promptTokens)
  }
  const answer = toAnswer(message)
  if (answer.content === '') return
  try {
    const receiptId = await keptReceipt(remembered, log)
    const stamp: RecollectMetadata = {
      ...(ending !== 'complete' && { ending }),
      ...definedFields({ receiptId }),
      ...(replaces && { replaces: { id: replaces.id, position: replaces.position } }),
    }
    const metadata =
      Object.keys(stamp).length === 0 ? undefined : { recollect: stamp as unknown as JsonObject }
    await recordAnswer(handle, { ...answer, ...definedFields({ metadata }) }, answerId(identify(answer)))
    metrics.recorded(1)
  } catch (error) {
    // The client has its answer, and nobody else is there to be told.
    log.bug(error, context?.receipt.id ?? '')
  }
}

/** A receipt that could not be written is no reason to lose the answer. */
async function keptReceipt(
  { context }: RememberedRequest,
  log: KeepingParts['log'],
): Promise<string | undefined> {
  try {
    return (await context?.receiptSaved) === true ? context?.receipt.id : undefined
  } catch (error) {
    log.bug(error, context?.receipt.id ?? '')
    return undefined
  }
}

async function recordAnswer(handle: ConversationMemory, answer: NewMessage, id: string): Promise<void> {
  try {
    await handle.record({ ...answer, id }, { derive: 'background' })
  } catch (error) {
    // The same answer to the same words, in another conversation, or in this one before.
    if (!isMemoryError(error) || error.code !== 'conflict') throw error
    await handle.record(answer, { derive: 'background' })
  }
}
