/** Polls until the condition holds; the error names what was waited for. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  longestMs = 20_000,
): Promise<void> {
  for (const deadline = Date.now() + longestMs; !(await isSo()); ) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await new Promise((wake) => setTimeout(wake, 10))
  }
}
