/**
 * A regular expression written over several lines: line breaks and the spaces after them are ignored.
 *
 *     const FRUIT = multilineRegExp('i')`apple|pear|
 *       quince`
 */
export function multilineRegExp(flags: string) {
  return (strings: TemplateStringsArray, ...values: readonly string[]): RegExp =>
    new RegExp(alternatives(strings, ...values), flags)
}

/** The same, as part of a larger expression. */
export function alternatives(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw(strings, ...values).replace(/\n\s*/g, '')
}
