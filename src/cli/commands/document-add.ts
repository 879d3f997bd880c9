import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type DocumentProgress,
  isMemoryError,
  type Memory,
  MemoryError,
  type SavedDocument,
} from '../../index.ts'
import { interruptible } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import { dim, print, printJson, red } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface AddFlags {
  readonly conversation?: string
  readonly name?: string
  readonly id?: string
  readonly type?: string
}

const LABELS: Readonly<Record<DocumentProgress['step'], string>> = {
  reading: 'Reading',
  cutting: 'Cutting',
  indexing: 'Indexing',
}

/** One bar for each step of the work. */
function createProgress(name: string): { onProgress: (progress: DocumentProgress) => void; end: () => void } {
  let current: { readonly step: string; readonly bar: Progress } | undefined
  return {
    onProgress: ({ step, done, total }) => {
      if (current?.step !== step) current = { step, bar: new Progress(`${LABELS[step]} ${name}`) }
      current.bar.show(done, total)
    },
    end: () => current?.bar.end(),
  }
}

/** The bytes of a file, or of standard input. */
function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (cause) {
    throw new MemoryError('not-found', `${file} cannot be read`, { hint: (cause as Error).message, cause })
  }
}

function toName(file: string, name: string | undefined): string {
  if (name !== undefined) return name
  if (file !== '-') return basename(file)
  throw new MemoryError('invalid-input', 'what comes from standard input has no name', {
    hint: 'add --name notes.md',
  })
}

const STOPPED = 'Nothing of this file was kept; those before it are in. The same command again goes on.'

async function addFile(memory: Memory, file: string, flags: AddFlags): Promise<SavedDocument> {
  const name = toName(file, flags.name)
  const progress = createProgress(name)
  try {
    return await interruptible(STOPPED, ({ signal }) =>
      memory.documents.add({
        name,
        content: readBytes(file),
        onProgress: progress.onProgress,
        signal,
        ...definedFields({ conversationId: flags.conversation, id: flags.id, mediaType: flags.type }),
      }),
    )
  } finally {
    progress.end()
  }
}

interface Outcome {
  readonly file: string
  readonly document?: SavedDocument
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string }
}

/** A file that cannot be read does not keep the others from being added. */
async function tryFile(memory: Memory, file: string, flags: AddFlags): Promise<Outcome> {
  try {
    return { file, document: await addFile(memory, file, flags) }
  } catch (error) {
    if (!isMemoryError(error)) throw error
    const { code, message, hint } = error
    return { file, error: { code, message, ...definedFields({ hint }) } }
  }
}

export function addDocumentCommand(): Command {
  return newCommand('add', 'Add files: text, Markdown, HTML, PDF, DOCX, CSV, JSON or code.')
    .argument('<file...>', 'paths, or - for standard input')
    .option('--conversation <id>', 'only this conversation sees them (all do)')
    .option('--name <name>', 'what the file is called, where its path does not say it')
    .option('--id <id>', 'an id of your own (made)')
    .option('--type <media type>', 'what the file is, where its name does not say it')
    .addHelpText('after', '\nA file that is there already, under whatever name, is not added twice.')
    .action((files: readonly string[], flags: AddFlags, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const outcomes = await addFiles(memory, { files, ...flags }, isJson ? () => undefined : printOutcome)
        if (isJson) printJson(outcomes)
        if (outcomes.some(({ error }) => error !== undefined)) process.exitCode = 1
      }),
    )
}

async function addFiles(
  memory: Memory,
  { files, ...flags }: AddFlags & { readonly files: readonly string[] },
  onOutcome: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const isForOne = flags.name !== undefined || flags.id !== undefined
  if (files.length > 1 && isForOne) throw new MemoryError('invalid-input', '--name and --id are for one file')
  const outcomes: Outcome[] = []
  for (const file of files) {
    const outcome = await tryFile(memory, file, flags)
    outcomes.push(outcome)
    onOutcome(outcome)
  }
  return outcomes
}

function printOutcome({ document, error }: Outcome): void {
  if (error !== undefined) {
    process.stderr.write(`${red('error:')} ${error.message}\n`)
    if (error.hint !== undefined) process.stderr.write(`${dim(error.hint)}\n`)
  }
  if (document === undefined) return
  const { id, name, isNew, chunkCount, tokens } = document
  const what = isNew ? `Added ${name}` : `There already: ${name}`
  print(`${what} · ${chunkCount} chunks, ${tokens} tokens ${dim(id)}`)
}

export function replaceDocumentCommand(): Command {
  return newCommand('replace', 'Replace a document with a new version of the file.')
    .argument('<id>', 'id of the document')
    .argument('<file>', 'path, or - for standard input')
    .option('--name <name>', 'a new name')
    .option('--type <media type>', 'what the file is, where its name does not say it')
    .action((id: string, file: string, flags: AddFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const progress = createProgress(flags.name ?? basename(file))
        const document = await memory.documents
          .replace(id, {
            content: readBytes(file),
            onProgress: progress.onProgress,
            ...definedFields({ name: flags.name, mediaType: flags.type }),
          })
          .finally(progress.end)
        if (isJson) return printJson(document)
        const { version, chunkCount, isNew } = document
        print(
          isNew
            ? `Replaced: version ${version}, ${chunkCount} chunks.`
            : 'The same content; nothing to index.',
        )
      }),
    )
}
