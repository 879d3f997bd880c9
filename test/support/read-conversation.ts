import { EntityIndex } from '../../src/derive/entities/entity-index.ts'
import { findEntities } from '../../src/derive/entities/find-entities.ts'
import { toEntityBody } from '../../src/derive/entities/stored-entity.ts'
import { extractFacts } from '../../src/derive/facts/extract-facts.ts'
import { extractedFactKey, toExtractedFactBody } from '../../src/derive/facts/extracted-fact.ts'
import type { Entity } from '../../src/domain/entity.ts'
import type { ConversationKey } from '../../src/domain/ids.ts'
import { type Message, readableText } from '../../src/domain/message.ts'
import { type DerivedItem, READER } from '../../src/store/derivations.ts'
import type { Store } from '../../src/store/store.ts'

const NOW = new Date('2026-06-01')

/** Derives a conversation from its first message and replaces what was derived before. */
export async function readConversation(store: Store, key: ConversationKey): Promise<void> {
  const erasureVersion = await store.erasureVersion(key.workspace)
  const messages = await store.messages({ ...key, limit: 10_000 })
  const deriver = { ...key, deriver: READER }
  const before = await store.findDerivation(deriver)
  await store.commitDerivation({
    ...deriver,
    erasureVersion,
    generation: (before?.generation ?? 0) + 1,
    version: '1',
    revision: 0,
    cursor: messages.length,
    state: null,
    put: [...messages.flatMap(readStatements), ...readEntities(messages)],
    isActive: true,
    now: NOW,
  })
}

const made = { madeBy: 'patterns', madeAt: NOW, tokens: 0 } as const

function readStatements({ id, role, name, content, createdAt, position }: Message): DerivedItem[] {
  const said = { id, role, text: readableText(content), createdAt, ...(name !== undefined && { name }) }
  return extractFacts(said).map((candidate, index) => ({
    kind: 'statement',
    key: extractedFactKey(position, index),
    body: toExtractedFactBody(candidate),
    sources: [id],
    ...made,
  }))
}

function readEntities(messages: readonly Message[]): DerivedItem[] {
  const known = new EntityIndex()
  for (const { id, content, createdAt } of messages)
    for (const entity of findEntities({ id, text: readableText(content), createdAt }, known))
      known.add(entity)
  return known.all().map((entity: Entity) => ({
    kind: 'entity',
    key: entity.id,
    body: toEntityBody(entity),
    sources: [entity.firstMessageId, entity.lastMessageId],
    ...made,
  }))
}
