/**
 * All that a global expression matches in a text; it must not match nothing. `matchAll` copies the expression
 * with every call, which takes longer than most of these searches.
 */
export function findAll(text: string, expression: RegExp): RegExpExecArray[] {
  const all: RegExpExecArray[] = []
  expression.lastIndex = 0
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) all.push(found)
  return all
}
