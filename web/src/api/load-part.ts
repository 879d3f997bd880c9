import { noteFailure, onBack } from './connection.ts'

/** Loads a lazy part of the app; if the server is unreachable, loads it when the server is back. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (await isServerReachable()) throw error
    noteFailure()
    await untilBack()
    return loadAgain(load)
  }
}

/** Some browsers cache a failed module fetch until the page is reloaded. */
async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    location.reload()
    return new Promise(() => undefined)
  }
}

async function isServerReachable(): Promise<boolean> {
  try {
    await fetch('/api/health')
    return true
  } catch {
    return false // Unreachable is an answer, not an error.
  }
}

const untilBack = (): Promise<void> =>
  new Promise((resolve) => {
    const end = onBack(() => {
      end()
      resolve()
    })
  })
