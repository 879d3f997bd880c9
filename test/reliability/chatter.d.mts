import type { NewMessage } from '../../src/index.ts'

export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  /** Both ends included. */
  between(least: number, most: number): number
  pick<T>(list: readonly T[]): T
}
export function seededRandom(seed: number): Random
export function fingerprint(message: Pick<NewMessage, 'role' | 'name' | 'content'>): string
export function chatter(
  name: string,
  random: Random,
): { one(): NewMessage & { id: string }; many(size: number): (NewMessage & { id: string })[] }
