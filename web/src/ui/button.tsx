import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly isSmall?: boolean
  readonly icon?: IconName
  readonly children: ReactNode
}

export function Button({ look = 'plain', isSmall = false, icon, children, className, ...rest }: ButtonProps) {
  const names = ['button', `button-${look}`, isSmall && 'button-small', className].filter(Boolean)
  return (
    <button type="button" {...rest} className={names.join(' ')}>
      {icon !== undefined && <Icon name={icon} size={isSmall ? 16 : 18} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName
  /** Used as the accessible name and the tooltip. */
  readonly label: string
  readonly isSmall?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({ icon, label, isSmall = false, className, ...rest }: IconButtonProps) {
  const names = ['icon-button', isSmall && 'icon-button-small', className].filter(Boolean)
  return (
    <button type="button" aria-label={label} title={label} {...rest} className={names.join(' ')}>
      <Icon name={icon} size={isSmall ? 16 : 18} />
    </button>
  )
}
