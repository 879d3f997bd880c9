import { openMemory } from '../../dist/index.js'
import { createQueryWriter, createWriter } from '../made-up-text.mjs'
import { median, quantile, timesMs } from '../measure.mjs'

const PAGE = 'long'
const QUESTION_WORDS = 12

export const pages = {
  name: 'pages',
  about: 'loadContext(), addQuery() and the selection for a question on a page with a long history',
  async run(fixture) {
    const count = fixture.sizes.messages
    const memory = await openMemory(fixture.copyOf(await fixture.longPage(count)))
    await memory.page(PAGE).save({
      activeFile: { id: 'doc' },
      entities: { Ana: 1 },
      preferences: { chart: 'bar' },
    })
    const write = createWriter(11)
    const writeQueries = createQueryWriter(12)
    const row = async (what, work, aim) => {
      const times = await timesMs(fixture.repeats(300), work)
      return [
        { what: `${what}, median`, unit: 'ms', ours: median(times), aim },
        { what: `${what}, 95th percentile`, unit: 'ms', ours: quantile(times, 0.95), aim },
      ]
    }
    const on = `page of ${count.toLocaleString('en')} queries`
    let selected = []
    const rows = [
      ...(await row(`load the state of a ${on}`, () => memory.page(PAGE).load(), { most: 10 })),
      ...(await row(`read the last 20 of a ${on}`, () => memory.page(PAGE).queries.list({ limit: 20 }), {
        most: 10,
      })),
      ...(await row(
        `select for a question, ${on}`,
        async () => {
          selected = (await memory.page(PAGE).queries.list({ query: write(QUESTION_WORDS) })).items
        },
        { most: 10 },
      )),
      { what: '  queries in it', unit: 'queries', ours: selected.length },
      ...(await row(`save the state of a ${on}`, (i) => memory.page(PAGE).save({ entities: { turn: i } }))),
      ...(await row(`add a query to a ${on}`, () => memory.page(PAGE).queries.add(writeQueries(1)[0]))),
    ]
    await memory.close()
    return rows
  },
}
