// Records the statements that the store sends through `pg`, and replays them with `pg` alone on as many connections:
// the floor of what PostgreSQL can do.

import pg from 'pg'

/** Notes all statements of a piece of work, with the results that were there when each was sent. */
export async function recordStatements(work) {
  const { query } = pg.Client.prototype
  const clients = new Map()
  const statements = []
  let answered = []
  pg.Client.prototype.query = function (sql, values, ...rest) {
    const answer = query.call(this, sql, values, ...rest)
    if (typeof answer?.then !== 'function') return answer
    if (!clients.has(this)) clients.set(this, clients.size)
    const number = statements.length
    const asked = typeof sql === 'string' ? { text: sql, values } : sql
    statements.push({ ...asked, client: clients.get(this), after: answered })
    return answer.then((result) => {
      // Those that were answered before are waited for by the one before this.
      answered = [...answered.filter((one) => !statements[number].after.includes(one)), number]
      return result
    })
  }
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return statements
}

/** Connections with the settings of the store's own, on another schema. */
export async function openBarePool(url, { schema, size }) {
  const clients = Array.from({ length: size }, () => new pg.Client({ connectionString: url }))
  for (const client of clients) {
    await client.connect()
    await client.query(`SET search_path = ${schema}`)
  }
  return {
    /** Each connection its own, one after the other: for writers, who wait for each other in PostgreSQL. */
    async replayInTurn(statements) {
      const own = clients.map((_, i) => statements.filter(({ client }) => client % size === i))
      await Promise.all(
        own.map(async (list, i) => {
          for (const { text, values, name } of list) await clients[i].query({ text, values, name })
        }),
      )
    },
    /** On one connection, each when the one before was answered: what a program does that has no pool. */
    async replayOneByOne(statements) {
      for (const { text, values, name } of statements) await clients[0].query({ text, values, name })
    },
    /** What was sent after others had been answered waits for their answers: for readers. */
    async replay(statements) {
      const answers = []
      for (const { text, values, name, client, after } of statements) {
        const before = Promise.all(after.map((number) => answers[number]))
        answers.push(before.then(() => clients[client % size].query({ text, values, name })))
      }
      await Promise.all(answers)
    },
    async count(table) {
      const { rows } = await clients[0].query(`SELECT count(*)::int AS count FROM ${table}`)
      return rows[0].count
    },
    end: () => Promise.all(clients.map((client) => client.end())),
  }
}
