import { definedFields } from '../../domain/defined-fields.ts'
import {
  type ConversationMemory,
  isMemoryError,
  type JsonObject,
  type NewMessage,
  type RecollectMetadata,
} from '../../index.ts'
import type { ServerParts } from '../server-parts.ts'
import type { PassedAnswer } from './answer-reader.ts'
import type { RememberedRequest } from './remember-request.ts'
import { identify, toAnswer } from './transcript.ts'

type KeepingParts = Pick<ServerParts, 'metrics' | 'log' | 'corrections'>

/** Records an answer that was passed through, unless it is empty. */
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
    // The client already has its answer, so the error can only be logged.
    log.bug(error, context?.receipt.id ?? '')
  }
}

/** Returns the receipt id; if the receipt could not be saved, the answer is recorded without it. */
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
    // The same answer to the same messages exists in another conversation, or earlier in this one.
    if (!isMemoryError(error) || error.code !== 'conflict') throw error
    await handle.record(answer, { derive: 'background' })
  }
}
