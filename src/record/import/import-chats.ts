import { MemoryError } from '../../domain/errors.ts'
import { acceptChoice } from '../accept-object.ts'
import type { Pieces } from './envelope/detect-envelope.ts'
import { detectEnvelope, isEnvelopeKnown, peek } from './envelope/detect-envelope.ts'
import { readDocumentRecords, readLineRecords } from './envelope/read-records.ts'
import { withIdleCallback } from './envelope/with-idle-callback.ts'
import { unknownFormat } from './formats/formats.ts'
import { importExport } from './import-export.ts'
import { ForeignImport, type ImportTarget } from './import-foreign.ts'
import { IMPORT_FORMATS, type Imported, type ImportOptions } from './imported.ts'

/** Enough to see whether the first line is a complete record. */
const HEAD_BYTES = 1 << 20

/** Imports an export of Recollect or of another program; the format is detected. */
export async function importChats(
  target: ImportTarget,
  pieces: Pieces,
  options: ImportOptions = {},
): Promise<Imported> {
  const { format = 'auto', branches = 'forks' } = options
  acceptChoice(format, { what: 'the format of an import', choices: ['auto', ...IMPORT_FORMATS] })
  acceptChoice(branches, { what: 'branches of an import', choices: ['forks', 'none'] })
  const { head, bytes } = await peek(pieces, { maxBytes: HEAD_BYTES, isEnough: isEnvelopeKnown })
  const envelope = detectEnvelope(head)
  if (envelope === 'empty') throw new MemoryError('invalid-input', 'nothing to import: the file is empty')
  if (format === 'recollect' || (format === 'auto' && envelope === 'recollect'))
    return importExport(target, bytes, options)
  if (envelope === 'unknown') throw unknownFormat('it is not JSON')
  const { limits, now } = target
  const door = { limits, tokenizer: await target.loadTokenizer(), now: now() }
  const foreign = new ForeignImport(target, door, options)
  const rules = { maxBytes: limits.importBytes, isRecord: foreign.isRecord }
  const read = envelope === 'lines' ? readLineRecords : readDocumentRecords
  const chunks = withIdleCallback(bytes, () => foreign.flush())
  for await (const record of read(chunks, rules)) await foreign.take(record)
  return foreign.end()
}
