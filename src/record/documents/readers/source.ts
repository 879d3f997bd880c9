import type { DocumentText } from '../../../domain/document.ts'
import type { Pace } from '../pace.ts'

/** A file whose format is known, on its way into a reader. */
export interface Source {
  /** For errors. */
  readonly name: string
  readonly pace: Pace
  /** No reader makes more of a file than this, whatever is packed in it. */
  readonly mostBytes: number
}

export interface TextSource extends Source {
  readonly text: string
}

export interface BytesSource extends Source {
  readonly bytes: Uint8Array
}

export type Reader<Given extends Source> = (source: Given) => DocumentText | Promise<DocumentText>
