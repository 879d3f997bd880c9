/** Called when a file turns out to be damaged; what came before that is used. */
export type OnDamage = (reason: string) => void

/** One file of an export, wherever it lies. */
export interface ImportSource {
  /** Within the folder or archive; empty for a file by itself. */
  readonly name: string
  /** How many bytes reading it takes; undefined where that shows only at its end. */
  readonly size?: number
  read(onDamage: OnDamage): AsyncIterable<Uint8Array>
}

export interface ImportSources {
  readonly sources: readonly ImportSource[]
  close(): Promise<void>
}
