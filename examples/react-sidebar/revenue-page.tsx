// A page of an application: a table, and a chat beside it. The page tells the memory what is on it (which file is
// open, what is looked at, how), and the memory tells the page the same after a reload.

import { useEffect } from 'react'
import { ChatSidebar, usePageContext, useRecollect } from 'recollect/react'
import { type Company, toCsv, topCustomers } from './revenue.ts'

/** A page may have several conversations; this one has a single one. */
const toChat = ({ id }: Company): string => `chat-${id}`

const COUNTS = [undefined, 5, 3]

export function RevenuePage({ company }: { readonly company: Company }) {
  const { id, title, file, customers } = company
  const page = usePageContext(id)
  const { context, isSaved, setPreference } = page
  const count = Number(context?.preferences['rows'] ?? customers.length)
  useOpenFile(company, page)

  return (
    <div className="layout">
      <main>
        <h1>Revenue of {title} by customer</h1>
        <p className="controls">
          <label>
            Rows{' '}
            <select
              value={count}
              disabled={context === undefined}
              onChange={(event) => setPreference('rows', Number(event.target.value))}
            >
              {COUNTS.map((choice) => (
                <option key={choice ?? 'all'} value={choice ?? customers.length}>
                  {choice === undefined ? 'All' : `Top ${choice}`}
                </option>
              ))}
            </select>
          </label>
          <span className="saved" role="status">
            {isSaved ? 'Saved' : 'Saving …'}
          </span>
        </p>
        {page.error && <p role="alert">{page.error.message}</p>}
        <RevenueTable company={company} count={count} />
      </main>
      <ChatSidebar
        conversationId={toChat(company)}
        pageId={id}
        labels={{ title: 'Ask about revenue' }}
        turn={{ system: `You help with the table "${file.name}" that the user looks at.` }}
      />
    </div>
  )
}

/** Uploads the file of the page, once, and makes it the active file. */
function useOpenFile(company: Company, { context, setActiveFile }: ReturnType<typeof usePageContext>): void {
  const client = useRecollect()
  const isOpen = context === undefined || context.activeFile?.id === company.file.id
  useEffect(() => {
    if (isOpen) return
    const body = { ...company.file, content: toCsv(company), conversationId: toChat(company) }
    void client.request('POST', '/api/documents', { body }).then(() => setActiveFile(company.file))
  }, [client, company, isOpen, setActiveFile])
}

interface RevenueTableProps {
  readonly company: Company
  readonly count: number
}

function RevenueTable({ company, count }: RevenueTableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Customer</th>
          <th scope="col">Region</th>
          <th scope="col" className="number">
            Revenue
          </th>
        </tr>
      </thead>
      <tbody>
        {topCustomers(company, count).map(({ name, region, revenue }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{region}</td>
            <td className="number">{revenue.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
