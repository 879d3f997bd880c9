// Settings of this browser that are sent with every question: budgets and instructions.

import type { TurnOptions } from 'recollect/react'
import { localValues } from '../../browser-storage.ts'
import { createStore } from '../../store.ts'

export interface TurnSettings {
  /** Maximum tokens of a request. @default the server's budget */
  readonly budgetTokens?: number
  readonly memoryTokens?: number
  readonly system?: string
  /** Whether new chats are remembered. */
  readonly isMemoryOn: boolean
}

const KEY = 'turn-settings'

function read(): TurnSettings {
  try {
    return { isMemoryOn: true, ...(JSON.parse(localValues.get(KEY) ?? '{}') as Partial<TurnSettings>) }
  } catch {
    return { isMemoryOn: true } // Not our data: use the defaults.
  }
}

export const turnSettings = createStore<TurnSettings>(read())

addEventListener('storage', ({ key }) => key?.endsWith(KEY) === true && turnSettings.set(read()))

export function changeTurnSettings(
  change: { [Name in keyof TurnSettings]?: TurnSettings[Name] | undefined },
): void {
  const next = Object.entries({ ...turnSettings.get(), ...change }).filter(([, value]) => value !== undefined)
  turnSettings.set(Object.fromEntries(next) as unknown as TurnSettings)
  localValues.set(KEY, JSON.stringify(turnSettings.get()))
}

export function turnOptions(): TurnOptions {
  const { budgetTokens, memoryTokens, system } = turnSettings.get()
  return {
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(memoryTokens !== undefined && { memoryTokens }),
    ...(system !== undefined && system.trim() !== '' && { system }),
  }
}
