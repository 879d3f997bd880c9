import { createClient, type RecollectClient } from 'recollect/react'
import { kept } from '../kept.ts'
import { noteAnswer, noteFailure } from './connection.ts'

const KEY = 'key'

/** Only where the server wants one: on other addresses than this machine's. */
export function chooseKey(key: string): void {
  if (key === '') kept.remove(KEY)
  else kept.set(KEY, key)
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
  key: () => kept.get(KEY),
  fetch: watchedFetch,
})
