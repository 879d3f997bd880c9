import { useId } from 'react'
import { formatCount } from '../../format.ts'
import { useStore } from '../../store.ts'
import { Setting, SettingGroup } from './setting.tsx'
import { changeTurnSettings, turnSettings } from './turn-settings.ts'

/** Model windows minus the room reserved for the answer. */
const BUDGETS: readonly TokenChoice[] = [
  { tokens: 4000 },
  { tokens: 12_000, window: '12k' },
  { tokens: 32_000 },
  { tokens: 120_000, window: '128k' },
  { tokens: 260_000, window: '262k' },
]
const MEMORY: readonly TokenChoice[] = [0, 400, 800, 1600, 4000].map((tokens) => ({ tokens }))

export function AnswerSettings() {
  const { budgetTokens, memoryTokens, system = '', isMemoryOn } = useStore(turnSettings)
  const ids = { budget: useId(), memory: useId(), system: useId() }
  return (
    <SettingGroup title="Answers" lead="These apply to every question you ask in this browser.">
      <Setting
        name="Remember new chats"
        hint="When off, nothing is learned from a new chat until you turn memory on for it."
      >
        <button
          type="button"
          role="switch"
          className="switch"
          aria-checked={isMemoryOn}
          aria-label="Remember new chats"
          onClick={() => changeTurnSettings({ isMemoryOn: !isMemoryOn })}
        />
      </Setting>
      <Setting
        name="Token budget"
        htmlFor={ids.budget}
        hint="The most a request may contain: instructions, memory and messages."
      >
        <TokenSelect
          id={ids.budget}
          choices={BUDGETS}
          value={budgetTokens}
          onChange={(value) => changeTurnSettings({ budgetTokens: value })}
        />
      </Setting>
      <Setting
        name="Memory budget"
        htmlFor={ids.memory}
        hint="The part of the token budget for facts, recalled messages and notes."
      >
        <TokenSelect
          id={ids.memory}
          choices={MEMORY}
          value={memoryTokens}
          onChange={(value) => changeTurnSettings({ memoryTokens: value })}
        />
      </Setting>
      <div className="field setting-wide">
        <label className="setting-name" htmlFor={ids.system}>
          Instructions
        </label>
        <textarea
          id={ids.system}
          className="input setting-area"
          rows={3}
          placeholder="How should the model answer? Sent before everything else."
          value={system}
          onChange={(event) => changeTurnSettings({ system: event.target.value || undefined })}
        />
      </div>
    </SettingGroup>
  )
}

interface TokenChoice {
  readonly tokens: number
  /** The model window that this budget fits. */
  readonly window?: string
}

interface TokenSelectProps {
  readonly id: string
  readonly choices: readonly TokenChoice[]
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

function TokenSelect({ id, choices, value, onChange }: TokenSelectProps) {
  return (
    <select
      id={id}
      className="input"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : Number(event.target.value))}
    >
      <option value="">Server default</option>
      {choices.map(({ tokens, window }) => (
        <option key={tokens} value={tokens}>
          {tokens === 0 ? 'None' : `${formatCount(tokens)} tokens`}
          {window !== undefined && ` (${window} window)`}
        </option>
      ))}
    </select>
  )
}
