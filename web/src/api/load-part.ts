import { noteFailure, onBack } from './connection.ts'

/** A part of the app that comes when it is wanted; where the server is gone just then, when it is back. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (await isServerThere()) throw error
    noteFailure()
    await untilBack()
    return loadAnew(load)
  }
}

/** Some browsers remember that a module could not be fetched. A page that is loaded anew has forgotten it. */
async function loadAnew<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    location.reload()
    return new Promise(() => undefined)
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    await fetch('/api/health')
    return true
  } catch {
    // Not reached: that is the answer.
    return false
  }
}

const untilBack = (): Promise<void> =>
  new Promise((resolve) => {
    const end = onBack(() => {
      end()
      resolve()
    })
  })
