// Everything in a workspace that belongs in a vector store: the messages of its conversations, the chunks of its
// documents, its facts, notes and summaries. Listing is cheap: texts are read only from sources that changed.

import { definedFields } from '../../domain/defined-fields.ts'
import { Digest } from '../../domain/digest.ts'
import type { Document } from '../../domain/document.ts'
import type { Fact } from '../../domain/fact.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { toVectorId, type VectorKind } from '../../domain/ids.ts'
import type { StoredItem } from '../../store/derivations.ts'
import type { Store } from '../../store/store.ts'
import { EXTRACTED_FACT } from '../facts/extracted-fact.ts'
import { readFacts } from '../facts/read-facts.ts'
import { readNotes } from '../notes/read-notes.ts'
import { MODEL_SUMMARIES, SUMMARIES, WHOLE_CONVERSATION } from '../summaries/rolled.ts'
import { madeOf, VECTORS } from '../vectors/make-vectors.ts'
import { messagesMark, type Source, type TextItem, type TextSource } from './source.ts'

export interface SourceDeps {
  readonly store: Store
  /** Results of tools expire after this many days. */
  readonly expireDays: number
  /** A model's summary that is further behind than this is ignored. */
  readonly maxLag: number
  /** How documents are split. A different setting gives different chunks for the same version. */
  readonly cutting: string
  readonly now: () => Date
}

const DOCUMENTS = 200
const CHUNKS = 64

export async function listSources(
  parts: SourceDeps,
  workspace: WorkspaceId,
  embedder: string,
): Promise<readonly Source[]> {
  const { store } = parts
  const derivations = await store.activeDerivations(workspace, VECTORS)
  const messages = derivations
    .filter(({ version }) => version === embedder)
    .map(({ conversation, cursor, ...derivation }): Source => {
      const made = madeOf(derivation)
      return {
        kind: 'messages',
        name: `messages:${conversation}`,
        mark: messagesMark(made, cursor),
        conversation,
        made,
      }
    })
  const documents: Source[] = []
  for await (const document of allDocuments(store, workspace))
    documents.push(chunksOf(parts, workspace, document))
  return [...messages, ...documents, ...(await artifactsOf(parts, workspace))]
}

async function* allDocuments(store: Store, workspace: WorkspaceId): AsyncGenerator<Document> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.listDocuments({ workspace, limit: DOCUMENTS, ...definedFields({ cursor }) })
    yield* page.items
    if (page.next === undefined) return
    cursor = page.next
  }
}

function chunksOf({ store, cutting }: SourceDeps, workspace: WorkspaceId, document: Document): TextSource {
  const { id, contentHash, version, chunkCount } = document
  const session = sessionOf(document)
  return {
    kind: 'texts',
    name: `chunks:${id}`,
    mark: [contentHash.slice(0, 16), version, chunkCount, cutting, session ?? ''].join('/'),
    async *pages() {
      for (let after = -1; ; ) {
        const chunks = await store.chunks({ workspace, document: id, after, limit: CHUNKS })
        if (chunks.length === 0) return
        yield chunks.map(({ id: chunk, index, headingPath, text }) => ({
          ...toItem('chunk', chunk, { text: [...headingPath, text].join('\n'), session }),
          chunkIndex: index,
        }))
        after = chunks.at(-1)?.index ?? after
      }
    },
  }
}

const sessionOf = ({ isWorkspaceWide, conversationIds }: Document): ConversationId | undefined =>
  !isWorkspaceWide && conversationIds.length === 1 ? conversationIds[0] : undefined

/** Every workspace has these sources, even if they are empty. */
export const isArtifacts = ({ name }: Source): boolean => ['facts', 'notes', 'summaries'].includes(name)

async function artifactsOf(parts: SourceDeps, workspace: WorkspaceId): Promise<readonly TextSource[]> {
  const { store } = parts
  const [facts, notes, summaries, edits] = await Promise.all([
    store.itemsVersion({ workspace, kind: EXTRACTED_FACT }),
    store.itemsVersion({ workspace, kind: 'note' }),
    store.itemsVersion({ workspace, kind: 'summary' }),
    store.editsVersion(workspace),
  ])
  const source = (name: string, mark: string, read: () => Promise<readonly TextItem[]>): TextSource => ({
    kind: 'texts',
    name,
    mark,
    async *pages() {
      yield await read()
    },
  })
  return [
    source('facts', `${facts}/${edits}`, () => factItems(parts, workspace)),
    source('notes', `${notes}/${edits}`, () => noteItems(parts, workspace)),
    source('summaries', summaries, () => summaryItems(parts, workspace)),
  ]
}

async function factItems({ store, now }: SourceDeps, workspace: WorkspaceId): Promise<readonly TextItem[]> {
  const facts = await readFacts(store, workspace, { asOf: now() })
  return facts.map((fact) => toItem('fact', fact.id, { text: factText(fact), session: onlyOne(fact) }))
}

const onlyOne = ({ origin, conversationIds }: Fact): ConversationId | undefined =>
  origin === 'said' && conversationIds.length === 1 ? conversationIds[0] : undefined

const factText = ({ kind, subject, attribute, value }: Fact): string =>
  kind === 'instruction' ? value : `${subject}: ${attribute} is ${value}`

async function noteItems(parts: SourceDeps, workspace: WorkspaceId): Promise<readonly TextItem[]> {
  const { store, expireDays, now } = parts
  const notes = await readNotes(store, { workspace, expireDays, now: now() })
  return notes.map(({ id, text, source, conversationId }) =>
    toItem('note', id, { text: `${source.title ?? ''}\n${text}`.trim(), session: conversationId }),
  )
}

interface SummaryBody {
  readonly text: string
  readonly through: number
}

/** For each conversation, the summary that a model wrote unless it is too far behind. */
async function summaryItems(
  { store, maxLag }: SourceDeps,
  workspace: WorkspaceId,
): Promise<readonly TextItem[]> {
  const read = async (deriver: string) => {
    const items = await store.derivedItems({ workspace, deriver, kind: 'summary', key: WHOLE_CONVERSATION })
    return new Map(items.map((item) => [item.conversationId, bodyOf(item)]))
  }
  const [builtIn, written] = [await read(SUMMARIES), await read(MODEL_SUMMARIES)]
  const conversations = [...new Set([...builtIn.keys(), ...written.keys()])]
  return conversations.flatMap((session) => {
    const [plain, model] = [builtIn.get(session), written.get(session)]
    const isFresh = model !== undefined && model.through >= (plain?.through ?? 0) - maxLag
    const body = isFresh ? model : plain
    return body === undefined ? [] : [toItem('summary', session, { text: body.text, session })]
  })
}

const bodyOf = ({ body }: StoredItem): SummaryBody => body as unknown as SummaryBody

function toItem(
  memoryType: VectorKind,
  id: string,
  { text, session }: { readonly text: string; readonly session: ConversationId | undefined },
): TextItem {
  const digest = new Digest().add(text).add(session ?? '')
  return {
    id: toVectorId(memoryType, id, digest.toString()),
    text,
    memoryType,
    ...definedFields({ session }),
  }
}
