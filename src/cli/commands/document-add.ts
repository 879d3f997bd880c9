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
import { countOf, dim, interruptible, Progress, print, printJson, red } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface AddFlags {
  readonly conversation?: string
  readonly name?: string
  readonly id?: string
  readonly type?: string
}

const LABELS: Readonly<Record<DocumentProgress['step'], string>> = {
  reading: 'Reading',
  cutting: 'Splitting',
  indexing: 'Indexing',
}

/** One progress bar per step. */
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

/** Reads a file, or standard input for `-`. */
function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (cause) {
    throw new MemoryError('not-found', `can't read ${file}`, { hint: (cause as Error).message, cause })
  }
}

function toName(file: string, name: string | undefined): string {
  if (name !== undefined) return name
  if (file !== '-') return basename(file)
  throw new MemoryError('invalid-input', 'a document from standard input needs a name', {
    hint: 'add a name, for example --name notes.md',
  })
}

const STOPPED = 'This file was not added; the files before it were. Run the command again to continue.'

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

/** A file that fails does not stop the others. */
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
    .option('--conversation <id>', 'attach to this conversation only (default: all)')
    .option('--name <name>', 'file name, if the path does not contain it')
    .option('--id <id>', 'document id (default: generated)')
    .option('--type <media type>', 'media type, if the file name does not show it')
    .addHelpText('after', '\nA file with the same content is not added twice, even under another name.')
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
  if (files.length > 1 && isForOne)
    throw new MemoryError('invalid-input', '--name and --id can be used with one file only')
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
  const what = isNew ? `Added ${name}` : `Already added: ${name}`
  print(`${what} · ${countOf(chunkCount, 'chunk')}, ${countOf(tokens, 'token')} ${dim(id)}`)
}

export function replaceDocumentCommand(): Command {
  return newCommand('replace', 'Replace a document with a new version of the file.')
    .argument('<id>', 'id of the document')
    .argument('<file>', 'path, or - for standard input')
    .option('--name <name>', 'new file name')
    .option('--type <media type>', 'media type, if the file name does not show it')
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
            ? `Replaced: version ${version}, ${countOf(chunkCount, 'chunk')}.`
            : 'The content is the same, nothing was changed.',
        )
      }),
    )
}
