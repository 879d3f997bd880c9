import { chooseTheme, type Theme, useTheme } from '../../ui/theme.ts'
import { Setting, SettingGroup } from './setting.tsx'

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

export function AppearanceSettings() {
  const chosen = useTheme()
  return (
    <SettingGroup title="Appearance">
      <Setting name="Theme">
        <div className="segments" role="radiogroup" aria-label="Theme">
          {THEMES.map(([theme, text]) => (
            // biome-ignore lint/a11y/useSemanticElements: a row of buttons, of which one is chosen
            <button
              key={theme}
              type="button"
              role="radio"
              className="segment"
              aria-checked={theme === chosen}
              onClick={() => chooseTheme(theme)}
            >
              {text}
            </button>
          ))}
        </div>
      </Setting>
    </SettingGroup>
  )
}
