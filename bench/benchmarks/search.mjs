import { openBare } from '../bare-sqlite.mjs'
import { openRecord } from '../fixture.mjs'
import { median, timesMs } from '../measure.mjs'

export const search = {
  name: 'search',
  about: 'searchMessages() for a rare word, a common word, a beginning, a phrase, and in one conversation',
  async run(fixture) {
    const { messages, conversations } = fixture.sizes
    const inOne = await fixture.longConversation(messages)
    const inMany = await fixture.manyConversations(conversations)
    const words = await chooseWords(inOne, messages)
    const memories = { one: await openRecord(inOne), many: await openRecord(inMany) }
    // A word in quotes is meant whole; a bare one at the end is taken as a beginning, since it may be unfinished.
    const searches = [
      [`a rare word (in ${words.rare.doc} messages)`, memories.one, `"${words.rare.term}"`],
      [`a common word (in ${percent(words.common.doc, messages)})`, memories.one, `"${words.common.term}"`],
      ['a beginning of 3 letters', memories.one, `${words.rare.term.slice(0, 3)}*`],
      ['a beginning of 1 letter', memories.one, `${words.rare.term.slice(0, 1)}*`],
      ['a rare and a common word', memories.one, `"${words.rare.term}" "${words.common.term}"`],
      ['a phrase of two common words', memories.one, `"${words.common.term} ${words.nextCommon.term}"`],
      [
        'a common word in one of many conversations',
        memories.many,
        `"${words.common.term}"`,
        { conversationId: '7' },
      ],
    ]
    const rows = []
    for (const [what, memory, text, options] of searches) {
      let found
      const times = await timesMs(fixture.repeats(40), async () => {
        found = await memory.messages.search(text, options)
      })
      rows.push({ what: `search: ${what}, ${found.items.length} shown`, unit: 'ms', ours: median(times) })
    }
    await memories.one.close()
    await memories.many.close()
    return rows
  },
}

const percent = (part, whole) => `${Math.round((100 * part) / whole)} % of ${whole.toLocaleString('en')}`

/** A word in a handful of messages, and the two that are nearest to being in half of them. */
async function chooseWords(path, messages) {
  const database = await openBare(path)
  database.exec('CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, message_words, col)')
  const choose = (condition, order) =>
    database
      .prepare(
        `SELECT term, doc FROM temp.vocabulary WHERE col = 'words' AND ${condition} ORDER BY ${order}, term LIMIT 2`,
      )
      .all()
  const [rare] = choose("doc >= 3 AND length(term) > 5 AND term GLOB '[a-z]*'", 'doc')
  const [common, nextCommon] = choose('TRUE', `abs(doc - ${messages / 2})`)
  database.close()
  return { rare, common, nextCommon }
}
