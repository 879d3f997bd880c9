/** Drops undefined fields: `undefined` means "not given" to a caller, but a spread would copy it. */
export function definedFields<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const kept: Partial<Fields> = {}
  for (const name of Object.keys(fields) as (keyof Fields)[]) {
    if (fields[name] !== undefined) kept[name] = fields[name]
  }
  return kept as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
