// The ways in which the verbs of the store reach the database, each as connection.ts explains it; and the same for
// several calls at once.

import { gather } from '../gather.ts'
import type { Connection, Session } from './connection.ts'

type Run = <T>(work: (session: Session) => Promise<T>) => Promise<T>

export interface Access {
  readonly enter: <T>(work: () => Promise<T>) => Promise<T>
  readonly read: Run
  readonly snapshot: Run
  readonly recall: Run
  readonly lookUp: Run
  readonly write: Run
  readonly gathered: Gathered
  readonly lookUpGathered: Gathered
}

/** Reads for several calls at once. */
type Gathered = <Key, Value>(
  answer: (session: Session, keys: readonly Key[]) => Promise<readonly Value[]>,
) => (key: Key) => Promise<Value>

export function accessTo(connection: Connection): Access {
  const enter = <T>(work: () => Promise<T>) => connection.enter(work)
  return {
    enter,
    read: (work) => enter(() => connection.read(work)),
    snapshot: (work) => enter(() => connection.snapshot(work)),
    recall: (work) => enter(() => connection.recall(work)),
    lookUp: (work) => enter(() => connection.lookUp(work)),
    write: (work) => enter(() => connection.write(work)),
    gathered: (answer) => gatherIn(connection, answer, (work) => connection.read(work)),
    lookUpGathered: (answer) => gatherIn(connection, answer, (work) => connection.lookUp(work)),
  }
}

function gatherIn<Key, Value>(
  connection: Connection,
  answer: (session: Session, keys: readonly Key[]) => Promise<readonly Value[]>,
  run: (work: (session: Session) => Promise<readonly Value[]>) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const ask = gather<Key, Value>((keys) => run((session) => answer(session, keys)))
  return (key) => connection.enter(() => ask(key))
}
