import type { Command } from 'commander'
import { toCount } from '../arguments.ts'
import { printReceipt } from '../print-context.ts'
import { bold, countOf, formatTime, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function receiptsCommand(): Command {
  return newCommand('receipts', 'Show the receipts of the latest contexts of a conversation, newest first.')
    .argument('<conversation>', 'id of the conversation')
    .option('--limit <number>', 'maximum number of results', toCount, 5)
    .action((id: string, { limit }: { limit: number }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const receipts = (await memory.conversation(id).receipts.list({ limit })).items
        if (isJson) return printJson(receipts)
        if (receipts.length === 0) return print('No contexts built for this conversation yet.')
        for (const receipt of receipts) {
          print(bold(`${formatTime(receipt.createdAt)}, after ${countOf(receipt.messageCount, 'message')}`))
          printReceipt(receipt)
        }
      }),
    )
}
