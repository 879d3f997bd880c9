import type { Command } from 'commander'
import { formatBytes, formatCount, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function statsCommand(): Command {
  return newCommand('stats', 'Tell how much is in the memory and where it lies.').action(
    (_flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const [statistics, workspaces] = await Promise.all([memory.statistics(), memory.workspaces()])
        if (isJson)
          return printJson({
            location: memory.location,
            workspace: memory.workspace,
            workspaces,
            ...statistics,
          })
        const {
          conversations,
          archivedConversations,
          messages,
          erasedMessages,
          compressedMessages,
          savedBytes,
          tokens,
          receipts,
          pages,
          queries,
          storageBytes,
        } = statistics
        print(`file            ${memory.location} (${formatBytes(storageBytes)})`)
        print(`workspace       ${memory.workspace} (of ${workspaces.length})`)
        print(
          `conversations   ${formatCount(conversations)} (${formatCount(archivedConversations)} archived)`,
        )
        print(`messages        ${formatCount(messages)} (${formatCount(erasedMessages)} erased)`)
        print(`compressed      ${formatCount(compressedMessages)} (${formatBytes(savedBytes)} saved)`)
        print(`tokens          ${formatCount(tokens)}`)
        print(`receipts        ${formatCount(receipts)}`)
        print(`pages           ${formatCount(pages)} (${formatCount(queries)} queries)`)
      }),
  )
}
