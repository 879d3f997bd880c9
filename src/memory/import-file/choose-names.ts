/** Where ChatGPT and Claude keep what was said; large exports are split and numbered. */
const CHATS = /(?:^|\/)conversations(?:-\d+)?\.json(?:\.gz)?$/i
/** What Claude wrote down about the user. */
const MEMORIES = /(?:^|\/)memories(?:\/[^/]+)?\.json$/i
const DOCUMENTS = /\.(?:json|jsonl|ndjson)(?:\.gz)?$/i
/** What operating systems put beside files. */
const HIDDEN = /(?:^|\/)(?:__MACOSX\/|\.)/

/**
 * Which files of a folder or archive to read. The archives of ChatGPT and Claude hold much beside the chats, which
 * is passed over; in any other, everything that may be an export is tried.
 */
export function chooseNames(names: readonly string[]): readonly string[] {
  const visible = names.filter((name) => !HIDDEN.test(name)).toSorted()
  const chats = visible.filter((name) => CHATS.test(name))
  if (chats.length > 0) return [...chats, ...visible.filter((name) => MEMORIES.test(name))]
  return visible.filter((name) => DOCUMENTS.test(name))
}
