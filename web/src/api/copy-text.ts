import { showToast } from '../ui/toasts.tsx'

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast('Copied.', { durationMs: 2000 })
  } catch {
    // Browsers forbid it on plain HTTP from another machine, and users can.
    showToast('Your browser doesn’t allow copying here.')
  }
}
