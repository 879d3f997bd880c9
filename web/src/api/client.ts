import { createClient, type RecollectClient } from 'recollect/react'
import { localValues } from '../browser-storage.ts'
import { noteAnswer, noteFailure } from './connection.ts'

const KEY = 'key'

/** Needed only when the server requires a key, which it does by default for requests from other machines. */
export function chooseKey(key: string): void {
  if (key === '') localValues.remove(KEY)
  else localValues.set(KEY, key)
}

async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init)
    noteAnswer(response.status)
    return response
  } catch (error) {
    if (init?.signal?.aborted !== true) noteFailure()
    throw error
  }
}

export const client: RecollectClient = createClient({
  key: () => localValues.get(KEY),
  fetch: watchedFetch,
})
