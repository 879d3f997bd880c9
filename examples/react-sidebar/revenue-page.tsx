// A page of an application: a table, and a chat beside it. The page tells the memory what is on it (which file is
// open, what is looked at, how), and the memory tells the page the same after a reload.

import { useEffect } from 'react'
import { ChatSidebar, usePageContext } from 'recollect/react'
import { CUSTOMERS, FILE, topCustomers } from './revenue.ts'

const PAGE = 'revenue'
const COUNTS = [CUSTOMERS.length, 5, 3]

export function RevenuePage() {
  const page = usePageContext(PAGE)
  const { context, isSaved, setActiveFile, setPreference } = page
  const count = Number(context?.preferences['rows'] ?? CUSTOMERS.length)
  const isFileOpen = context === undefined || context.activeFile?.id === FILE.id
  useEffect(() => {
    if (!isFileOpen) setActiveFile(FILE)
  }, [isFileOpen, setActiveFile])

  return (
    <div className="layout">
      <main>
        <h1>Revenue by customer</h1>
        <p className="controls">
          <label>
            Rows{' '}
            <select
              value={count}
              disabled={context === undefined}
              onChange={(event) => setPreference('rows', Number(event.target.value))}
            >
              {COUNTS.map((choice) => (
                <option key={choice} value={choice}>
                  {choice === CUSTOMERS.length ? 'All' : `Top ${choice}`}
                </option>
              ))}
            </select>
          </label>
          <span className="saved" role="status">
            {isSaved ? 'Saved' : 'Saving …'}
          </span>
        </p>
        {page.error && <p role="alert">{page.error.message}</p>}
        <RevenueTable count={count} />
      </main>
      <ChatSidebar
        conversationId={PAGE}
        labels={{ title: 'Ask about revenue' }}
        turn={{ system: `You help with the table "${FILE.name}" that the user looks at.` }}
      />
    </div>
  )
}

function RevenueTable({ count }: { readonly count: number }) {
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
        {topCustomers(count).map(({ name, region, revenue }) => (
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
