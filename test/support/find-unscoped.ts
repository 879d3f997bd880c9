// Which tables a statement looks at without saying which workspace it means. Not a parser of SQL: it knows how the
// statements of this store are written, and takes what it does not understand for a fault.

/** All but those that belong to no workspace. */
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

/** A workspace that was handed in, or looked up by its name. */
const GIVEN = '(?:\\$\\d+|\\(SELECT number FROM (?:workspace|mine)\\b)'

/** The names of tables, as the statement calls them, that no workspace is said of. */
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

/** Of a table without another name: a condition, or a value for the column. */
function saysWorkspace(part: string, table: string): boolean {
  const conditions = [
    `\\bworkspace = ${GIVEN}`,
    `\\bworkspace = \\w+\\.workspace\\b`,
    `INTO ${table} \\([\\w,\\s]*\\bworkspace\\b[\\w,\\s]*\\)\\s*(?:VALUES|SELECT)`,
  ]
  return conditions.some((condition) => new RegExp(condition).test(part))
}

/** Tables that are tied to a given workspace, by themselves or by way of others. */
function findAnchored(sql: string): ReadonlySet<string> {
  const anchored = new Set<string>()
  for (const [, alias = ''] of sql.matchAll(new RegExp(`\\b(\\w+)\\.workspace = ${GIVEN}`, 'g')))
    anchored.add(alias)
  // A workspace by its name, and lists of numbers that were handed in.
  if (/\bw\.id = \$\d+/.test(sql)) anchored.add('w')
  for (const [, alias = ''] of sql.matchAll(/unnest\([^)]*\)(?: WITH ORDINALITY)? AS (\w+) \(workspace/g)) anchored.add(alias)
  for (const [, alias = ''] of sql.matchAll(/\(SELECT \$\d+::bigint AS workspace\) (\w+)/g)) anchored.add(alias)
  for (const [, name = ''] of sql.matchAll(/\b(\w+) AS \(SELECT \* FROM \w+ WHERE workspace = \$\d/g)) anchored.add(name)
  const ties = [...sql.matchAll(/\b(\w+)\.workspace = (\w+)\.(?:workspace|number)|\b(\w+)\.number = (\w+)\.workspace/g)]
  for (let size = -1; size !== anchored.size; ) {
    size = anchored.size
    for (const [, a = '', b = '', c = '', d = ''] of ties) {
      if (anchored.has(a) || anchored.has(b)) for (const one of [a, b]) if (one !== '') anchored.add(one)
      if (anchored.has(c) || anchored.has(d)) for (const one of [c, d]) if (one !== '') anchored.add(one)
    }
  }
  return anchored
}
