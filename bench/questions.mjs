import { createWriter, seededRandom } from './made-up-text.mjs'

const COMMON_WORDS = ['people', 'time', 'work', 'year', 'the', 'good', 'way', 'day', 'new', 'other']

/** What people ask: twelve words as they come, six words of something that was said, or nothing but common words. */
export async function createAsker(memory, { conversations, each }) {
  const random = seededRandom(21)
  const write = createWriter(22)
  const among = (count) => Math.floor(random() * count)
  async function wordsOfOne() {
    const after = among(each - 1) - 1
    const page = await memory.conversation(`c${among(conversations)}`).messages.list({ after, limit: 1 })
    const [said] = page.items
    const words = said.content.split(/\W+/).filter(Boolean)
    const start = among(Math.max(1, words.length - 6))
    return `What did I say about ${words.slice(start, start + 6).join(' ')}?`
  }
  const common = () => Array.from({ length: 4 }, () => COMMON_WORDS[among(COMMON_WORDS.length)]).join(' ')
  const kinds = [() => write(12), wordsOfOne, common]
  let asked = 0
  return async () => kinds[asked++ % kinds.length]()
}
