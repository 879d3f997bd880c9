import { MemoryError } from '../../domain/errors.ts'
import { acceptChoice } from '../accept-object.ts'
import { chooseEnvelope, isEnvelopeTold } from './envelope/choose-envelope.ts'
import type { Pieces } from './envelope/encode-pieces.ts'
import { peek } from './envelope/peek.ts'
import { readDocumentRecords, readLineRecords } from './envelope/read-records.ts'
import { tellQuiet } from './envelope/tell-quiet.ts'
import { unknownFormat } from './formats/formats.ts'
import { importExport } from './import-export.ts'
import { ForeignImport, type ImportTarget } from './import-foreign.ts'
import { IMPORT_FORMATS, type Imported, type ImportOptions } from './imported.ts'

/** Enough to see whether the first line is a whole record. */
const HEAD_BYTES = 1 << 20

/** An export of Recollect or of another program, told apart by what it looks like. */
export async function importChats(
  target: ImportTarget,
  pieces: Pieces,
  options: ImportOptions = {},
): Promise<Imported> {
  const { format = 'auto', branches = 'forks' } = options
  acceptChoice(format, { what: 'the format of an import', choices: ['auto', ...IMPORT_FORMATS] })
  acceptChoice(branches, { what: 'branches of an import', choices: ['forks', 'none'] })
  const { head, bytes } = await peek(pieces, { mostBytes: HEAD_BYTES, isEnough: isEnvelopeTold })
  const envelope = chooseEnvelope(head)
  if (envelope === 'empty') throw new MemoryError('invalid-input', 'there is nothing to import: it is empty')
  if (format === 'recollect' || (format === 'auto' && envelope === 'recollect'))
    return importExport(target, bytes, options)
  if (envelope === 'unknown') throw unknownFormat('it is not JSON')
  const { limits, now } = target
  const door = { limits, tokenizer: await target.loadTokenizer(), now: now() }
  const foreign = new ForeignImport(target, door, options)
  const rules = { mostBytes: limits.importBytes, isRecord: foreign.isRecord }
  const read = envelope === 'lines' ? readLineRecords : readDocumentRecords
  const told = tellQuiet(bytes, () => foreign.rest())
  for await (const record of read(told, rules)) await foreign.take(record)
  return foreign.end()
}
