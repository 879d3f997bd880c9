import { Choice, type ChoiceOption } from '../../ui/choice.tsx'
import { chooseTheme, type Theme, useTheme } from '../../ui/theme.ts'
import { Setting, SettingGroup } from './setting.tsx'

const THEMES: readonly ChoiceOption<Theme>[] = [
  { value: 'system', text: 'System' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
]

export function AppearanceSettings() {
  const chosen = useTheme()
  return (
    <SettingGroup title="Appearance">
      <Setting name="Theme">
        <Choice label="Theme" options={THEMES} chosen={chosen} onChoose={chooseTheme} />
      </Setting>
    </SettingGroup>
  )
}
