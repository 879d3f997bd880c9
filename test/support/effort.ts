// How much work the expensive tests do. `npm test` does what a change needs; `npm run test:long` sets TEST_LONG
// and runs every test file that imports this one, with its long form.

const isLong = process.env['TEST_LONG'] === '1'

/** The first number in `npm test`, the second in `npm run test:long`. */
export function effort({ short, long }: { readonly short: number; readonly long: number }): number {
  return isLong ? long : short
}
