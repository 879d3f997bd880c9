import { readConversations } from '../store/read-pages.ts'
import type { OnProgress, Store } from '../store/store.ts'
import type { Deriver } from './deriver.ts'

/** Rebuilds all derived data, one conversation at a time. Readers see the old data until the new data is complete. */
export async function rebuildAll(
  { store, deriver }: { readonly store: Store; readonly deriver: Deriver },
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const messages = await countMessages(store)
  // Indexes first, then what is derived from the messages: each goes through all of them.
  const total = 2 * messages
  await store.rebuild((done) => onProgress(Math.min(done, messages), total))
  let done = messages
  for (const workspace of await store.listWorkspaces()) {
    for await (const { id, messageCount, isMemoryOn } of readConversations(store, workspace)) {
      const before = done
      const key = { workspace, conversation: id }
      if (isMemoryOn) await deriver.rebuild(key, (read) => onProgress(before + read, total))
      done += messageCount
      onProgress(done, total)
    }
  }
}

async function countMessages(store: Store): Promise<number> {
  let count = 0
  for (const workspace of await store.listWorkspaces()) count += (await store.statistics(workspace)).messages
  return count
}
