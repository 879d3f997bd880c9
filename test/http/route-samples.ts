// A workspace with something of everything, and for each operation of the OpenAPI document a request about it.

import type { NewMessage, Workspace } from '../../src/index.ts'

/** Part of everything that is put into a workspace, and of nothing else. */
export interface Filled {
  readonly secret: string
  readonly conversation: string
  /** Two topics, each with messages. */
  readonly topics: readonly [string, string]
  readonly message: string
  readonly page: string
  readonly query: string
  readonly fact: string
  readonly edit: number
  readonly note: string
  readonly key: string
  readonly preference: string
  readonly block: string
  readonly document: string
  readonly workspace: string
  readonly receipt: string
}

const LISBON = [
  'I need a hotel in Lisbon for two nights in May, close to the river.',
  'The Tejo Palace has a double room with a view of the river for 120 euros a night.',
  'Does the hotel have breakfast? I am vegetarian and my name is Ana.',
  'Yes, breakfast is included, with vegetarian dishes.',
]
const TAXES = [
  'Can you explain how the tax return for freelancers works in Portugal?',
  'Freelancers file the tax return between April and June and pay social security every quarter.',
  'Which expenses can a freelancer deduct from the tax?',
  'Software, travel and a share of the rent can be deducted when they are registered.',
]

/** `secret` is a word; ids are made from it, so that those of two workspaces differ. */
export async function fillWorkspace(memory: Workspace, secret: string): Promise<Filled> {
  const conversation = `${secret}-trip`
  const trip = memory.conversation(conversation)
  const messages = [...LISBON, ...TAXES].map(
    (text, i): NewMessage => ({
      id: `${secret}-m${i}`,
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: i === 0 ? `${text} ${secret}` : text,
      metadata: { secret },
    }),
  )
  await trip.getOrCreate({ title: `Trip ${secret}`, tags: [secret] })
  await trip.record(messages)
  const { receipt } = await trip.context('Where should we eat?', { budgetTokens: 500 })
  const topics = (await trip.topics.list().toArray()).map(({ id }) => id)
  const [current = '', other = ''] = topics
  await trip.topics.restore(current)
  const added = await memory.facts.add({ attribute: 'home', value: `Porto ${secret}` })
  const fact = await memory.facts.pin(added.id)
  const note = await memory.notes.add({ text: `Trams stop at one. ${secret}`, conversationId: conversation })
  await memory.preferences.update(`${secret}-tone`, { secret })
  await memory.blocks.update(`${secret}-profile`, `Lives in Porto. ${secret}`)
  await memory.feedback.give({ kind: 'message', id: `${secret}-m0` }, 'helpful')
  await memory.documents.add({
    id: `${secret}-file`,
    name: `${secret}.md`,
    content: `# Handbook ${secret}\n\nMoney is paid back within 30 days of the return.`,
    conversationId: conversation,
  })
  await memory.page(`${secret}-page`).save({
    activeFile: { id: `${secret}-file`, name: secret },
    entities: { secret },
  })
  await memory.page(`${secret}-page`).queries.add({ id: `${secret}-q0`, query: `How many orders? ${secret}` })
  const { id: key } = await memory.keys.create({ name: secret })
  return {
    secret,
    conversation,
    topics: [current, other],
    message: `${secret}-m0`,
    page: `${secret}-page`,
    query: `${secret}-q0`,
    fact: fact.id,
    edit: fact.history.at(-1)?.editId ?? 0,
    note: note.id,
    key,
    preference: `${secret}-tone`,
    block: `${secret}-profile`,
    document: `${secret}-file`,
    workspace: memory.workspaceId,
    receipt: receipt.id,
  }
}

export interface Sample {
  readonly query?: string
  readonly body?: unknown
}

/** The value of each path parameter. */
export const toParams = (filled: Filled): Readonly<Record<string, string>> => ({
  conversationId: filled.conversation,
  messageId: filled.message,
  topicId: filled.topics[0],
  pageId: filled.page,
  queryId: filled.query,
  factId: filled.fact,
  editId: String(filled.edit),
  noteId: filled.note,
  keyId: filled.key,
  key: filled.preference,
  name: filled.block,
  documentId: filled.document,
  workspace: filled.workspace,
  receiptId: filled.receipt,
})

/** What goes into address and body; operations that need neither are not listed. */
export const toSamples = (filled: Filled): Readonly<Record<string, Sample>> => ({
  followChanges: { query: '?limit=1' },
  listConversations: { query: '?limit=5&archived=with&pinned=false' },
  createConversation: { body: { title: 'New', tags: ['a'], metadata: { a: [1, null] } } },
  changeConversation: { body: { title: 'Renamed', isPinned: true } },
  forkConversation: { body: { messageId: filled.message, title: 'Fork' } },
  recordMessages: { body: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] } },
  listMessages: { query: '?limit=3' },
  makeContext: { body: { query: 'Which hotel?', budgetTokens: 800, window: '12k', tools: [{}] } },
  chat: { body: { message: 'Which hotel?', budgetTokens: 800, debug: true } },
  recall: {
    body: {
      query: 'Which hotel in Lisbon is close to the river?',
      limit: 10,
      kinds: ['message', 'fact', 'note'],
    },
  },
  explainRecall: {
    body: { query: 'Which hotel in Lisbon is close to the river?', messageId: filled.message },
  },
  listDocuments: { query: `?conversationId=${filled.conversation}&limit=5` },
  addDocument: { body: { name: 'notes/terms.md', content: '# Terms\n\nPay within a week.' } },
  listChunks: { query: '?limit=5' },
  replaceDocument: { body: { content: '# Handbook\n\nMoney is paid back within 14 days.' } },
  attachDocument: { body: { conversationId: filled.conversation } },
  detachDocument: { body: { conversationId: filled.conversation } },
  searchWeb: { body: { question: 'What is the weather today?' } },
  searchMessages: { query: `?q=${filled.secret}` },
  searchConversations: { query: `?q=${filled.secret}` },
  splitTopic: { body: { messageIds: [`${filled.secret}-m2`] } },
  drawTopicCurves: { query: '?points=5' },
  changeTopic: { body: { title: 'Taxes', importance: 0.5, tags: ['money'], isPinned: true } },
  moveMessage: { body: { messageId: `${filled.secret}-m1` } },
  mergeTopics: { body: { from: filled.topics[1] } },
  summarizeConversation: { body: { maxTokens: 100 } },
  listFacts: { query: '?includeClosed=true&includeRejected=true' },
  addFact: { body: { attribute: 'diet', value: 'vegetarian', messageIds: [filled.message] } },
  changeFact: { body: { value: 'Braga' } },
  setPreference: { body: { value: ['short', 1] } },
  updateBlock: { body: { text: 'Lives in Braga.' } },
  addNote: { body: { text: 'Rain until Friday.', source: { url: 'https://example.org' } } },
  giveFeedback: { body: { kind: 'message', id: filled.message, verdict: 'helpful' } },
  getImportance: { query: `?kind=message&id=${filled.message}` },
  undoFeedback: { query: `?kind=message&id=${filled.message}` },
  savePage: { body: { currentTopic: 'Sales', entities: { a: 1 } } },
  listQueries: { query: '?question=orders' },
  addQuery: { body: { query: 'How many nights?', results: [{ nights: 2 }] } },
  flagQuery: { body: { important: true } },
  prune: { body: { unusedDays: 0, isDryRun: true } },
  createKey: { body: { name: 'second', scope: 'read' } },
  completeChat: { body: { model: 'm', messages: [{ role: 'user', content: 'Hello?' }] } },
  importExport: { query: '?dryRun=true', body: EMPTY_EXPORT },
})

const EMPTY_EXPORT = { format: 'recollect', version: 1, conversations: [] }
