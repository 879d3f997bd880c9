import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { chooseTheme, type Theme, useTheme } from '../../ui/theme.ts'

const THEMES: readonly { readonly theme: Theme; readonly icon: IconName; readonly text: string }[] = [
  { theme: 'system', icon: 'system', text: 'System' },
  { theme: 'light', icon: 'sun', text: 'Light' },
  { theme: 'dark', icon: 'moon', text: 'Dark' },
]

export function ThemeMenu() {
  const chosen = useTheme()
  const { icon } = THEMES.find(({ theme }) => theme === chosen) ?? { icon: 'system' as const }
  return (
    <Menu label="Theme" className="icon-button sidebar-theme" button={<Icon name={icon} />}>
      {() =>
        THEMES.map(({ theme, icon: own, text }) => (
          <MenuItem key={theme} icon={own} isChecked={theme === chosen} onChoose={() => chooseTheme(theme)}>
            {text}
          </MenuItem>
        ))
      }
    </Menu>
  )
}
