import { expect, test } from 'vitest'
import { openMemory, recollectMetadataOf } from '../../index.ts'
import { AccessLog } from '../access-log.ts'
import { ServerMetrics } from '../metrics/server-metrics.ts'
import { keepAnswer } from './answer-reader.ts'
import { TokenCorrections } from './token-corrections.ts'

test.each([
  ['is there', async () => true, true, 0],
  ['is not kept', async () => false, false, 0],
  [
    'could not be written',
    async () => {
      throw new Error('the disk is gone')
    },
    false,
    1,
  ],
])('an answer is recorded, and names its receipt where that %s', async (_, keepReceipt, isNamed, told) => {
  const memory = await openMemory(':memory:', { derive: { when: 'never' } })
  const handle = memory.conversation('chat')
  await handle.record({ role: 'user', content: 'Where should we eat?' })
  const context = await handle.context()
  const lines: string[] = []
  const log = new AccessLog({ logLevel: 'error', logTo: { write: (line) => void lines.push(line) } })
  await keepAnswer(
    { metrics: new ServerMetrics(memory), corrections: new TokenCorrections(), log },
    {
      handle,
      model: 'm',
      recorded: 1,
      context: { ...context, receiptSaved: keepReceipt() },
      answerId: () => 'answer',
    },
    { message: { content: 'At the market.' }, isWhole: true, ending: 'complete' },
  )
  const answer = await handle.messages.get('answer')
  expect(answer).toMatchObject({ role: 'assistant', content: 'At the market.' })
  expect(answer && recollectMetadataOf(answer).receiptId).toBe(isNamed ? context.receipt.id : undefined)
  expect(lines).toHaveLength(told)
  await memory.close()
})
