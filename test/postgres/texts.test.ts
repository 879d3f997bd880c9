import { expect, test } from 'vitest'
import { aKey, aMessage, append, create, HERE, listIds } from '../../conformance/store/samples.ts'
import { conversationId, messageId } from '../../src/domain/ids.ts'
import { openFreshPostgres } from '../support/postgres-store.ts'

const ODD = ['a\0b', '\u0001plain', 'half \ud800', '\0', 'quotes \' " \\ {,}', '']

test('unusual texts are read back unchanged from every column, and can be found', async () => {
  const store = await openFreshPostgres()
  try {
    for (const [i, odd] of ODD.entries()) {
      const key = { workspace: HERE, conversation: conversationId(`${odd}${i}`) }
      await create(store, key, { title: odd, tags: [odd, 'other'], documents: [`${odd}d`] })
      const sent = aMessage(`${odd}-${i}`, 'words', { name: odd })
      await append(store, key, { messages: [sent], appendKey: `${odd}k` })
      expect(await store.findConversation(key)).toMatchObject({
        title: odd,
        tags: [odd, 'other'],
        documents: [`${odd}d`],
      })
      expect(await store.findMessage(HERE, messageId(`${odd}-${i}`))).toMatchObject({
        name: odd,
        appendKey: `${odd}k`,
      })
      expect(await store.locate(HERE, [messageId(`${odd}-${i}`)])).toHaveLength(1)
      expect(await listIds(store, { tag: odd })).toContain(key.conversation)
    }
    expect(await listIds(store, { tag: 'other' })).toHaveLength(ODD.length)
    expect(
      await store.scopeSize({ workspace: HERE, conversations: [aKey('a\0b0').conversation] }),
    ).toMatchObject({
      messages: 1,
    })
  } finally {
    await store.close()
  }
})
