import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a script in a new Node and returns what it prints. `BENCH_PATH` in its environment is `path`. */
export async function runInNewProcess(script, path = '', flags = []) {
  const env = { ...process.env, BENCH_PATH: path }
  const { stdout } = await run(process.execPath, [...flags, '--input-type=module', '--eval', script], { env })
  return stdout
}
