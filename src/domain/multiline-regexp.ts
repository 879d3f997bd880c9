/**
 * A regular expression written over several lines: a line break and the spaces after it are not part of it.
 *
 *     const FRUIT = expression('i')`apple|pear|
 *       quince`
 */
export function multilineRegExp(flags: string) {
  return (strings: TemplateStringsArray, ...values: readonly string[]): RegExp =>
    new RegExp(alternatives(strings, ...values), flags)
}

/** The same, as a piece of a larger expression. */
export function alternatives(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw(strings, ...values).replace(/\n\s*/g, '')
}
