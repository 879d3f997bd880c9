// Caches the facts of recently used workspaces. Every read checks the cache against the store, since other
// processes write too: two small queries show whether anything changed. Newly said facts are added to the cached
// fold. If anything was dropped, edited or said out of order, the facts are folded from scratch.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { DerivationStore } from '../../store/derivations.ts'
import type { EditStore } from '../../store/edits.ts'
import { EXTRACTED_FACT, readExtractedFact, type StoredExtractedFact } from './extracted-fact.ts'
import { FACT_EDITS, type FactEdit, readFactEdit } from './fact-edits.ts'
import type { FactFold } from './fold-facts.ts'

export type FactStore = Pick<DerivationStore, 'derivedItems' | 'itemsVersion'> &
  Pick<EditStore, 'edits' | 'editsVersion'>

/** Over all workspaces; about a kilobyte each. */
const MAX_CACHED_FACTS = 100_000

interface Known {
  readonly itemsVersion: string
  readonly editsVersion: string
  readonly extracted: readonly StoredExtractedFact[]
  /** The number of the last item. */
  readonly last: number
  readonly edits: readonly FactEdit[]
  readonly fold: FactFold
}

interface Place {
  known?: Known
  /** The read in progress. The next one waits for it, then checks again. */
  reading: Promise<unknown>
}

const places = new WeakMap<FactStore, Map<WorkspaceId, Place>>()

/** The current facts of a workspace. */
export async function readFold(store: FactStore, workspace: WorkspaceId): Promise<FactFold> {
  const ofStore = places.get(store) ?? new Map<WorkspaceId, Place>()
  places.set(store, ofStore)
  const place = ofStore.get(workspace) ?? { reading: Promise.resolve() }
  // Keeps the map in order of use, most recent last.
  ofStore.delete(workspace)
  ofStore.set(workspace, place)
  const refresh = async () => {
    place.known = await bringUpToDate(store, workspace, place.known)
    dropOldest(ofStore)
    return place.known.fold
  }
  const reading = place.reading.then(refresh, refresh)
  place.reading = reading
  return reading
}

async function bringUpToDate(
  store: FactStore,
  workspace: WorkspaceId,
  known: Known | undefined,
): Promise<Known> {
  const items = { workspace, kind: EXTRACTED_FACT } as const
  const [itemsVersion, editsVersion] = await Promise.all([
    store.itemsVersion(items),
    store.editsVersion(workspace),
  ])
  if (known?.itemsVersion === itemsVersion && known.editsVersion === editsVersion) return known
  const said =
    known?.itemsVersion === itemsVersion ? known : await readSaid(store, workspace, { known, itemsVersion })
  const edits = known?.editsVersion === editsVersion ? known.edits : await readEdits(store, workspace)
  const fold = goOn(known, { said, edits }) ?? (await foldAnew(said, edits))
  return { itemsVersion, editsVersion, extracted: said.extracted, last: said.last, edits, fold }
}

/** Loads the folding rules on first use. */
async function foldAnew({ extracted }: Said, edits: readonly FactEdit[]): Promise<FactFold> {
  const { foldFacts } = await import('./fold-facts.ts')
  return foldFacts(extracted, edits)
}

type Said = Pick<Known, 'extracted' | 'last'>

async function readSaid(
  store: FactStore,
  workspace: WorkspaceId,
  { known, itemsVersion }: { readonly known: Known | undefined; readonly itemsVersion: string },
): Promise<Said> {
  const list = { workspace, kind: EXTRACTED_FACT } as const
  const hasOnlyGrown = known !== undefined && goneOf(known.itemsVersion) === goneOf(itemsVersion)
  const { extracted, last } = hasOnlyGrown ? known : NOTHING_SAID
  const fresh = await store.derivedItems(hasOnlyGrown ? { ...list, after: last } : list)
  return { extracted: extracted.concat(fresh.map(readExtractedFact)), last: fresh.at(-1)?.number ?? last }
}

const NOTHING_SAID: Said = { extracted: [], last: 0 }

/** The part of a version that changes only if something is deleted. Extracted facts are never updated. */
const goneOf = (version: string): string => version.slice(0, version.lastIndexOf(':'))

async function readEdits(store: FactStore, workspace: WorkspaceId): Promise<readonly FactEdit[]> {
  const edits = await store.edits({ workspace, kinds: FACT_EDITS })
  return edits.map(readFactEdit)
}

/** The cached fold with what was said since; undefined if it must be folded from scratch. */
function goOn(
  known: Known | undefined,
  { said, edits }: { readonly said: Said; readonly edits: readonly FactEdit[] },
): FactFold | undefined {
  if (known === undefined || !haveSameIds(known.edits, edits)) return undefined
  const isLonger = said.extracted[known.extracted.length - 1] === known.extracted.at(-1)
  if (!isLonger) return undefined
  return known.fold.addLater(said.extracted.slice(known.extracted.length)) ? known.fold : undefined
}

/** Edits never change; they are only added and deleted. */
const haveSameIds = (left: readonly FactEdit[], right: readonly FactEdit[]): boolean =>
  left.length === right.length && left.every(({ id }, place) => id === right[place]?.id)

function dropOldest(ofStore: Map<WorkspaceId, Place>): void {
  const count = ({ known }: Place): number => known?.extracted.length ?? 0
  let total = [...ofStore.values()].reduce((sum, place) => sum + count(place), 0)
  for (const [workspace, place] of ofStore) {
    if (total <= MAX_CACHED_FACTS || ofStore.size === 1) return
    ofStore.delete(workspace)
    total -= count(place)
  }
}
