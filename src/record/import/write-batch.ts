import { type ImportLog, reasonToSkip } from './import-log.ts'

/** Writes all at once; where that fails for the sake of one of them, one after the other, and reports that one. */
export async function writeBatch<Waiting extends { readonly place: string }>(
  batch: readonly Waiting[],
  log: ImportLog,
  write: (waiting: readonly Waiting[]) => Promise<void>,
): Promise<void> {
  try {
    await write(batch)
  } catch (error) {
    const reason = reasonToSkip(error)
    if (batch.length === 1) log.skip((batch[0] as Waiting).place, reason)
    else for (const waiting of batch) await writeBatch([waiting], log, write)
  }
}
