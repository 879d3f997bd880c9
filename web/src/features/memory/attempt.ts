import { showError } from '../../ui/toasts.tsx'

/** Runs `work` and shows a toast if it fails. Returns whether it succeeded. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    showError('Couldn’t save the change', error)
    return false
  }
}
