// Parses the options of a benchmark script. The comment at the head of the script is its help text.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = { type: 'boolean', short: 'h', default: false }
/** Exit code for wrong usage. */
const BAD_CALL = 2

/** `script`: its `import.meta.url`. An option whose default is a number has to be one. */
export function readOptions(script, options) {
  try {
    const { values } = parseArgs({ options: { ...options, help: HELP } })
    if (values.help) {
      process.stdout.write(helpOf(script))
      process.exit(0)
    }
    for (const [name, { default: usual }] of Object.entries(options))
      if (isNumber(usual) && !isNumber(values[name])) throw new Error(`--${name} has to be a number`)
    return values
  } catch (error) {
    console.error(`${error.message}\n\n${helpOf(script)}`)
    process.exit(BAD_CALL)
  }
}

const isNumber = (text) => /^\d+(\.\d+)?$/.test(text ?? '')

/** The comment at the head of a file, after the shebang. */
function helpOf(script) {
  const [, head = ''] = /^(?:#!.*\n\s*)?((?:\/\/.*\n)*)/.exec(readFileSync(fileURLToPath(script), 'utf8'))
  return head.replaceAll(/^\/\/ ?/gm, '')
}
