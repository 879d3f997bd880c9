import { type Fact, type FactKind, type FactWithHistory, isTrueAt } from '../../domain/fact.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { type FactStore, readFold } from './fact-cache.ts'

export interface FactQuery {
  /** The moment at which the facts are valid. */
  readonly asOf: Date
  readonly subject?: string
  readonly attribute?: string
  readonly kinds?: readonly FactKind[]
  /** Only facts with a source in this conversation. */
  readonly conversation?: ConversationId
  /** Also facts that are no longer valid, or not yet. */
  readonly includeClosed?: boolean
  readonly includeRejected?: boolean
}

/** The facts of a workspace, in the order in which they were first said. */
export async function readFacts(
  store: FactStore,
  workspace: WorkspaceId,
  query: FactQuery,
): Promise<readonly Fact[]> {
  const fold = await readFold(store, workspace)
  const isPresent = !(query.includeClosed || query.includeRejected)
  const facts = isPresent ? fold.factsAt(query.asOf) : fold.facts.filter((fact) => isWanted(fact, query))
  const { subject, attribute, kinds, conversation } = query
  const isAll = [subject, attribute, kinds, conversation].every((narrowing) => narrowing === undefined)
  return isAll ? facts : facts.filter((fact) => isAsked(fact, query))
}

function isAsked(fact: Fact, { subject, attribute, kinds, conversation }: FactQuery): boolean {
  return (
    isSame(subject, fact.subject) &&
    isSame(attribute, fact.attribute) &&
    (kinds === undefined || kinds.includes(fact.kind)) &&
    (conversation === undefined || fact.conversationIds.includes(conversation))
  )
}

const isSame = (asked: string | undefined, known: string): boolean =>
  asked === undefined || asked.toLowerCase() === known.toLowerCase()

function isWanted(fact: Fact, { asOf, includeClosed = false, includeRejected = false }: FactQuery): boolean {
  return (includeRejected || fact.rejectedAt === undefined) && (includeClosed || isTrueAt(fact, asOf))
}

/** A fact with its history. Closed and rejected facts are found too. */
export async function findFact(
  store: FactStore,
  workspace: WorkspaceId,
  id: string,
): Promise<FactWithHistory | undefined> {
  return (await readFold(store, workspace)).find(id)
}
