import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import * as recollect from '../../src/index.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')

/** The examples in the comments of the files behind the front door, by the declaration they explain. */
function findExamples(): readonly (readonly [name: string, code: string])[] {
  const files = readdirSync(join(root, 'src/memory')).filter((name) => /^[^.]+\.ts$/.test(name))
  return files.flatMap((file) => {
    const text = readFileSync(join(root, 'src/memory', file), 'utf8')
    return [...text.matchAll(/@example\n(.*?)\*\/\s*(?:export )?(?:interface |async function )?(\w+)/gs)].map(
      ([, comment = '', name = '']) => [
        `${name} (${file})`,
        comment.replaceAll(/^ *\* ?/gm, '').replaceAll(/^import .*$/gm, ''),
      ],
    )
  })
}

/** Runs with an open memory in which the conversation `trip` has two messages. */
async function runExample(code: string): Promise<void> {
  const { outputText } = ts.transpileModule(`export async function run() {\n${code}\n}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  })
  await using memory = await recollect.openMemory(':memory:')
  const trip = memory.conversation('trip')
  await trip.record([
    { role: 'user', content: 'I am vegetarian, and we eat in Lisbon in May.' },
    { role: 'assistant', content: 'Try the market in Campo de Ourique.' },
  ])
  const scope = { ...recollect, memory, trip, console: { log: () => undefined } }
  const load = new Function('exports', ...Object.keys(scope), outputText)
  const module: { run?: () => Promise<void> } = {}
  load(module, ...Object.values(scope))
  await module.run?.()
}

const examples = findExamples()

test('at least 20 methods have examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(20)
})

test.each(examples)('the example of %s runs', async (_name, code) => {
  await runExample(code)
})

test.each([
  ['get-started.md', 3],
  ['many-users.md', 2],
])('the snippets of %s run', (name, count) => {
  const guide = readFileSync(join(root, 'docs/guide', name), 'utf8')
  const snippets = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code)
  expect(snippets).toHaveLength(count)
  for (const [i, code] of snippets.entries()) {
    const folder = temporaryFolder()
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const toDist = (path: string) => JSON.stringify(join(root, 'dist', path))
    const linked = code
      .replace("'recollect'", toDist('index.js'))
      .replace("'recollect/server'", toDist('server/start-server.js'))
    writeFileSync(join(folder, `${i}.mjs`), linked)
    const { status, stderr } = spawnSync(process.execPath, [join(folder, `${i}.mjs`)], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }
})
