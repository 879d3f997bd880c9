import { cookies } from 'next/headers'
import { RecollectProvider } from 'recollect/react'
import { SalesPage } from './sales-page'
import { signIn, signOut } from './session'

/** Rendered on the server, where the cookie says who is signed in. */
export default async function Page() {
  const user = (await cookies()).get('user')?.value
  if (!user) {
    return (
      <form action={signIn} className="bar">
        <label>
          Name <input name="user" required />
        </label>
        <button type="submit">Sign in</button>
      </form>
    )
  }
  return (
    // The workspace keeps apart what the browser stores for several users: drafts, and changes that are not saved yet.
    <RecollectProvider url="/api/memory" workspace={user}>
      <form action={signOut} className="bar">
        Signed in as {user} <button type="submit">Sign out</button>
      </form>
      <SalesPage />
    </RecollectProvider>
  )
}
