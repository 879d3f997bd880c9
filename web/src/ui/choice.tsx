// A row of buttons of which one is selected. It works like a radio group: Tab reaches the selected button, arrow keys
// move and select.

import type { KeyboardEvent, ReactNode } from 'react'

interface ChoiceProps<T> {
  readonly label: string
  readonly options: readonly ChoiceOption<T>[]
  readonly chosen: T
  readonly onChoose: (value: T) => void
}

export interface ChoiceOption<T> {
  readonly value: T
  readonly text: ReactNode
  /** Accessible name, if the text alone is not enough. */
  readonly name?: string
}

export function Choice<T extends string | number>({ label, options, chosen, onChoose }: ChoiceProps<T>) {
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const at = options.findIndex(({ value }) => value === chosen)
    const to = targetOf(event.key, at, options.length)
    const next = to === undefined ? undefined : options.at(to % options.length)
    if (next === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('button')[options.indexOf(next)]?.focus()
    onChoose(next.value)
  }
  return (
    <div className="segments" role="radiogroup" aria-label={label} onKeyDown={press}>
      {options.map(({ value, text, name }) => (
        // biome-ignore lint/a11y/useSemanticElements: looks like a button, behaves like a radio button
        <button
          key={value}
          type="button"
          role="radio"
          className="segment"
          aria-checked={value === chosen}
          aria-label={name}
          tabIndex={value === chosen ? 0 : -1}
          onClick={() => onChoose(value)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return at + 1
  if (key === 'ArrowLeft' || key === 'ArrowUp') return at - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
