import { Moon, Sun } from 'lucide-react'
import { IconButton } from '#web/kit/Button.tsx'
import { useTheme } from '#web/kit/theme.ts'

export function ThemeToggle() {
  const { theme, toggle } = useTheme()
  const Icon = theme === 'dark' ? Sun : Moon
  return (
    <IconButton label={theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme'} onClick={toggle}>
      <Icon aria-hidden="true" className="size-5" />
    </IconButton>
  )
}
