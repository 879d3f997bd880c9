'use server'

import { cookies } from 'next/headers'

export async function signIn(form: FormData): Promise<void> {
  const user = String(form.get('user')).trim()
  if (user !== '') (await cookies()).set('user', user, { httpOnly: true, sameSite: 'lax' })
}

export async function signOut(): Promise<void> {
  const kept = await cookies()
  kept.delete('user')
}
