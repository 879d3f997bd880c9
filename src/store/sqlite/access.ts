// The ways in which the verbs of the store reach the file, each as connection.ts explains it; and the same for several
// calls at once.

import { gather } from '../gather.ts'
import type { Connection } from './connection.ts'

export interface Access {
  readonly enter: <T>(work: () => Promise<T>) => Promise<T>
  readonly read: <T>(work: () => T) => Promise<T>
  readonly write: <T>(work: () => T) => Promise<T>
  /** The key names what is written, and nothing else is touched. */
  readonly writeApart: <T>(key: readonly unknown[], begin: () => () => T) => Promise<T>
  readonly together: Together
}

/** Reads for all calls that are made at the same moment. */
type Together = <Key, Value>(
  answer: (keys: readonly Key[]) => readonly Value[],
) => (key: Key) => Promise<Value>

export function accessTo(connection: Connection): Access {
  const enter = <T>(work: () => Promise<T>) => connection.enter(work)
  return {
    enter,
    read: (work) => enter(() => connection.read(work)),
    write: (work) => enter(() => connection.write(work)),
    writeApart: (key, begin) => enter(() => connection.writeApart(JSON.stringify(key), begin)),
    together: <Key, Value>(answer: (keys: readonly Key[]) => readonly Value[]) => {
      const ask = gather<Key, Value>((keys) => connection.read(() => answer(keys)), queueMicrotask)
      return (key: Key) => enter(() => ask(key))
    },
  }
}
