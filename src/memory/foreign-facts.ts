import { keyOfFields, toFactEditBody } from '../derive/facts/fact-edits.ts'
import { Digest } from '../domain/digest.ts'
import { acceptFact } from '../record/accept-knowledge.ts'
import type { ImportTarget } from '../record/import/import-foreign.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { readEdits } from '../store/read-pages.ts'

interface Kept {
  readonly key: string
  /** Digests of all texts it was imported with. */
  readonly said: Set<string>
}

/** The attribute of imported statements: the text itself says what it is about. */
const ATTRIBUTE = 'memory'

/**
 * Stores statements of another memory as given facts, under their original ids. A statement imported before
 * with the same text is skipped, even if it was changed here since; one with a different text is updated.
 */
export function keepForeignFacts(recorder: WorkspaceDeps): ImportTarget['keepFact'] {
  const { store, workspace, limits, now } = recorder
  let loading: Promise<Map<string, Kept>> | undefined
  return async ({ id: factId, text, createdAt = now(), validUntil }, { isDryRun }) => {
    loading ??= readKept(recorder)
    const known = await loading
    const said = new Digest().add(text).toString()
    const before = known.get(factId)
    if (before?.said.has(said) === true) return 'known'
    const moment = new Date(Math.min(createdAt.getTime(), now().getTime()))
    const isLimited = validUntil !== undefined && validUntil > moment
    const fact = { attribute: ATTRIBUTE, value: text.replaceAll(/\p{Cc}+/gu, ' ').toWellFormed() }
    const fields = acceptFact(
      { ...fact, validFrom: moment, ...(isLimited && { validUntil }) },
      { limits, now: now() },
    )
    const key = before?.key ?? keyOfFields(fields)
    known.set(factId, { key, said: new Set([...(before?.said ?? []), said]) })
    const kind = before === undefined ? 'fact-add' : 'fact-change'
    const body = { ...toFactEditBody({ factId, fields }), said }
    if (!isDryRun) await store.saveEdit(workspace, { kind, key, body }, { now: moment })
    return 'new'
  }
}

async function readKept({ store, workspace }: WorkspaceDeps): Promise<Map<string, Kept>> {
  const known = new Map<string, Kept>()
  for await (const { key, body } of readEdits(store, { workspace, kinds: ['fact-add', 'fact-change'] })) {
    const { fact, said } = body
    if (typeof fact !== 'string' || typeof said !== 'string') continue
    const kept = known.get(fact) ?? { key, said: new Set() }
    kept.said.add(said)
    known.set(fact, kept)
  }
  return known
}
