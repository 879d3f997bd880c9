import type { Command } from 'commander'
import { newCommand } from '../with-memory.ts'
import { addQueryCommand, flagQueryCommand, historyCommand } from './page-history.ts'
import { listPagesCommand, setPageCommand, showPageCommand } from './page-state.ts'

export function pageCommand(): Command {
  const page = newCommand('page', 'Show and change the state and query history of application pages.')
  const parts = [
    listPagesCommand,
    showPageCommand,
    setPageCommand,
    historyCommand,
    addQueryCommand,
    flagQueryCommand,
  ]
  for (const part of parts) page.addCommand(part())
  return page
}
