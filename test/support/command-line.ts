import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/** The built command line. */
export const MAIN: string = join(import.meta.dirname, '../../dist/cli/main.js')

interface Run {
  readonly out: string
  readonly error: string
  readonly code: number | null
}

interface CommandLine {
  readonly recollect: (words: readonly string[], input?: string) => Run
  /** What a command prints with `--json`. */
  readonly json: (...words: readonly string[]) => ReturnType<typeof JSON.parse>
  /** The working directory, new for every test. */
  readonly folder: () => string
}

/** The built command line, in an empty folder for each test of the file. */
export function useCommandLine(): CommandLine {
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder()
  })
  const recollect = (words: readonly string[], input = ''): Run => {
    const env = { ...process.env, NO_COLOR: '1', RECOLLECT_DB: join(folder, 'memory.db') }
    const run = spawnSync(process.execPath, [MAIN, ...words], { cwd: folder, input, env, encoding: 'utf8' })
    return { out: run.stdout, error: run.stderr, code: run.status }
  }
  return {
    recollect,
    json: (...words) => JSON.parse(recollect([...words, '--json']).out),
    folder: () => folder,
  }
}
