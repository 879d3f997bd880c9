// Which tables a statement reads without filtering by workspace. Not an SQL parser: it knows how the statements of
// this store are written, and reports what it does not understand as a problem.

/** All tables except those that do not belong to a workspace. */
const TABLES = [
  'conversation',
  'message',
  'block',
  'receipt',
  'indexed_word',
  'page',
  'query',
  'document',
  'document_text',
  'chunk',
  'attachment',
  'derivation',
  'reading',
  'derived',
  'job',
  'edit',
  'departure',
  'unread',
  'access_key',
]

const REFERENCE = new RegExp(
  `\\b(?:FROM|JOIN|INTO|UPDATE|USING)\\s+(${TABLES.join('|')})\\b(?:\\s+(?:AS\\s+)?(?!ON\\b|SET\\b|WHERE\\b|JOIN\\b|LEFT\\b|ORDER\\b|GROUP\\b|USING\\b|FOR\\b|CROSS\\b|LIMIT\\b|SELECT\\b|UNION\\b|DO\\b|VALUES\\b)([a-z]\\w*))?`,
  'g',
)

/** A workspace given as a parameter, or looked up by its name. */
const GIVEN = '(?:\\$\\d+|\\(SELECT number FROM (?:workspace|mine)\\b)'

/** The tables, by their aliases in the statement, that are not tied to a workspace. */
export function findUnscoped(sql: string): readonly string[] {
  const references = [...sql.matchAll(REFERENCE)].map(({ 1: table = '', 2: alias, index }) => ({
    table,
    alias,
    index,
  }))
  const anchored = findAnchored(sql)
  return references
    .filter(({ table, alias, index }, i) =>
      alias === undefined
        ? !saysWorkspace(sql.slice(index, references[i + 1]?.index), table) && !anchored.has(table)
        : !anchored.has(alias),
    )
    .map(({ table }) => table)
}

/** For a table without an alias: a condition, or a value for the column. */
function saysWorkspace(part: string, table: string): boolean {
  const conditions = [
    `\\bworkspace = ${GIVEN}`,
    `\\bworkspace = \\w+\\.workspace\\b`,
    `INTO ${table} \\([\\w,\\s]*\\bworkspace\\b[\\w,\\s]*\\)\\s*(?:VALUES|SELECT)`,
  ]
  return conditions.some((condition) => new RegExp(condition).test(part))
}

/** What ties an alias directly to a workspace: a condition, a name, a list parameter. */
const ANCHORS: readonly RegExp[] = [
  new RegExp(`\\b(\\w+)\\.workspace = ${GIVEN}`, 'g'),
  /\b(w)\.id = \$\d+/g,
  /unnest\((?:[^()]|\(SELECT \$\d+::\w+\[\]\))*\)(?:\s+WITH ORDINALITY)?\s+AS (\w+) \(workspace/g,
  /\(SELECT \$\d+::bigint AS workspace\) (\w+)/g,
  /\b(\w+) AS \(SELECT \* FROM \w+ WHERE workspace = \$\d/g,
  /\b(\w+) AS \(SELECT \w+\.workspace[^()]*\bw\.id = \$\d/g,
]

/** What ties two aliases to the same workspace. */
const TIES: readonly RegExp[] = [
  /\b(\w+)\.workspace = (\w+)\.(?:workspace|number)/g,
  /\b(\w+)\.number = (\w+)\.workspace/g,
  /\b(w)\.id = (\w+)\.workspace/g,
]

/** Tables that are tied to a given workspace, directly or through others. */
function findAnchored(sql: string): ReadonlySet<string> {
  const anchored = new Set(
    ANCHORS.flatMap((anchor) => [...sql.matchAll(anchor)].map(([, name = '']) => name)),
  )
  const ties = TIES.flatMap((tie) => [...sql.matchAll(tie)].map(([, a = '', b = '']) => [a, b]))
  // One round per tie: each may reach one more alias.
  for (const _ of ties) {
    const met = ties.filter((names) => names.some((name) => anchored.has(name)))
    for (const name of met.flat()) anchored.add(name)
  }
  return anchored
}
