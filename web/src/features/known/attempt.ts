import { showToast } from '../../ui/toasts.tsx'

/** Does something, and tells where it fails. True when it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    showToast(`That could not be done: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
