import { showToast } from '../ui/toasts.tsx'

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast('Copied.', { durationMs: 2000 })
  } catch {
    // Not over plain HTTP from another machine, nor where the user forbids it.
    showToast('The browser does not allow copying here.')
  }
}
