import type { Db, EngineCall, Statement } from '../sql/statement.ts'
import { ENGINE } from './engine.ts'
import type { Session } from './session.ts'

/** Runs work shared by both engines, statement by statement. */
export async function execute<T>(session: Session, work: Db<T>): Promise<T> {
  let step = work.next()
  while (step.done !== true) step = work.next(await answer(session, step.value))
  return step.value
}

function answer(session: Session, yielded: Statement | EngineCall): Promise<unknown> {
  if ('sql' in yielded) {
    const { method, sql, values } = yielded
    return session[method === 'lock' ? 'run' : method](sql, ...values)
  }
  const call = ENGINE[yielded.method] as (session: Session, ...values: readonly unknown[]) => Promise<unknown>
  return call(session, ...yielded.values)
}
