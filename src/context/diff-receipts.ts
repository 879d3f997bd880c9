// Compares two contexts by their receipts: which sections grew or shrank, what was added, removed or moved, and how much
// of the prompt prefix is the same.

import {
  type PositionRun,
  type Receipt,
  type ReceiptItem,
  type ReceiptItemKind,
  SECTIONS,
  type Section,
  type SharedPrefix,
} from '../domain/receipt.ts'
import { toRuns } from './receipt.ts'

export interface ReceiptDiff {
  readonly before: ReceiptName
  readonly after: ReceiptName
  /** In the order in which they are sent, without sections that both lack. */
  readonly sections: readonly SectionChange[]
  /** Messages that were added, removed or moved. */
  readonly messages: readonly MessageChange[]
  /** Memory items that were added, removed or moved. */
  readonly items: readonly ItemChange[]
  /** Missing if there were other contexts in between. */
  readonly prefix?: SharedPrefix
}

export interface ReceiptName
  extends Pick<Receipt, 'id' | 'createdAt' | 'messageCount' | 'tokens' | 'budgetTokens'> {}

export interface SectionChange {
  readonly section: Section
  readonly beforeTokens: number
  readonly afterTokens: number
}

/** Without `from`: added; without `to`: removed; with both: moved. */
interface Move {
  readonly from?: Section
  readonly to?: Section
}

export interface MessageChange extends Move {
  readonly runs: readonly PositionRun[]
}

export interface ItemChange extends Move {
  readonly kind: ReceiptItemKind
  readonly id: string
  /** Its tokens now, or before it was removed. */
  readonly tokens: number
}

/** What changed in the second receipt. */
export function diffReceipts(before: Receipt, after: Receipt): ReceiptDiff {
  const isNext = after.sharedPrefix.previousId === before.id
  return {
    before: nameOf(before),
    after: nameOf(after),
    sections: diffSections(before, after),
    messages: diffMessages(before, after),
    items: diffItems(before, after),
    ...(isNext && { prefix: after.sharedPrefix }),
  }
}

const nameOf = ({ id, createdAt, messageCount, tokens, budgetTokens }: Receipt): ReceiptName => ({
  id,
  createdAt,
  messageCount,
  tokens,
  budgetTokens,
})

function diffSections(before: Receipt, after: Receipt): readonly SectionChange[] {
  const names = new Set([...after.parts, ...before.parts].map(({ section }) => section))
  const tokensOf = ({ parts }: Receipt, name: Section) =>
    parts.find(({ section }) => section === name)?.tokens ?? 0
  return SECTIONS.filter((section) => names.has(section)).map((section) => ({
    section,
    beforeTokens: tokensOf(before, section),
    afterTokens: tokensOf(after, section),
  }))
}

function diffMessages(before: Receipt, after: Receipt): readonly MessageChange[] {
  const groups = new Map<string, Moved<number>[]>()
  for (const move of findMoves(placesOf(before), placesOf(after))) {
    const name = `${move.from} ${move.to}`
    groups.set(name, [...(groups.get(name) ?? []), move])
  }
  return [...groups.values()].map((group) => {
    const { from, to } = group[0] as Moved<number>
    return { ...named(from, to), runs: toRuns(group.map(({ what }) => ({ position: what }))) }
  })
}

/** The section of each message. */
function placesOf({ parts }: Receipt): ReadonlyMap<number, Section> {
  return new Map(
    parts.flatMap(({ section, runs }) =>
      runs.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, i): [number, Section] => [from + i, section]),
      ),
    ),
  )
}

function diffItems(before: Receipt, after: Receipt): readonly ItemChange[] {
  const [old, fresh] = [itemsOf(before), itemsOf(after)]
  const sections = (items: typeof old) => new Map([...items].map(([name, { section }]) => [name, section]))
  return findMoves(sections(old), sections(fresh)).map(({ what, from, to }) => {
    const { kind, id, tokens } = (fresh.get(what) ?? old.get(what)) as PlacedItem
    return { kind, id, tokens, ...named(from, to) }
  })
}

type PlacedItem = Pick<ReceiptItem, 'kind' | 'id' | 'tokens'> & { readonly section: Section }

function itemsOf({ parts }: Receipt): ReadonlyMap<string, PlacedItem> {
  const items = parts.flatMap(({ section, items: own = [] }) =>
    own.map(({ kind, id, tokens }): PlacedItem => ({ kind, id, tokens, section })),
  )
  return new Map(items.map((item) => [`${item.kind} ${item.id}`, item]))
}

interface Moved<What> {
  readonly what: What
  readonly from: Section | undefined
  readonly to: Section | undefined
}

function findMoves<What>(
  before: ReadonlyMap<What, Section>,
  after: ReadonlyMap<What, Section>,
): readonly Moved<What>[] {
  const all = new Set([...before.keys(), ...after.keys()])
  return [...all]
    .map((what) => ({ what, from: before.get(what), to: after.get(what) }))
    .filter(({ from, to }) => from !== to)
}

const named = (from: Section | undefined, to: Section | undefined): Move => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
