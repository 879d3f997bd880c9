// How answers are asked for in this browser: budgets and instructions that go with every question.

import type { TurnOptions } from 'recollect/react'
import { kept } from '../../kept.ts'
import { createStore } from '../../store.ts'

export interface TurnSettings {
  /** The most tokens of a whole request; the server's own default where missing. */
  readonly budgetTokens?: number
  readonly memoryTokens?: number
  readonly system?: string
  /** Whether new chats are remembered. */
  readonly isMemoryOn: boolean
}

const KEY = 'turn-settings'

function read(): TurnSettings {
  try {
    return { isMemoryOn: true, ...(JSON.parse(kept.get(KEY) ?? '{}') as Partial<TurnSettings>) }
  } catch {
    // Written by something else: the defaults are good ones.
    return { isMemoryOn: true }
  }
}

export const turnSettings = createStore<TurnSettings>(read())

addEventListener('storage', ({ key }) => key?.endsWith(KEY) === true && turnSettings.set(read()))

export function changeTurnSettings(
  change: { [Name in keyof TurnSettings]?: TurnSettings[Name] | undefined },
): void {
  const next = Object.entries({ ...turnSettings.get(), ...change }).filter(([, value]) => value !== undefined)
  turnSettings.set(Object.fromEntries(next) as unknown as TurnSettings)
  kept.set(KEY, JSON.stringify(turnSettings.get()))
}

export function turnOptions(): TurnOptions {
  const { budgetTokens, memoryTokens, system } = turnSettings.get()
  return {
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(memoryTokens !== undefined && { memoryTokens }),
    ...(system !== undefined && system.trim() !== '' && { system }),
  }
}
