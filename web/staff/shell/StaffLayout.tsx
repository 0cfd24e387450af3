import { useEffect } from 'react'
import { Outlet } from '#web/kit/router/index.ts'
import { useAlwaysDark } from '#web/kit/theme.ts'
import { changeLocale } from '#web/words/words.ts'
import './staff.css'

/** The staff area is in English, always dark, and has no top bar or footer. */
export default function StaffLayout() {
  useAlwaysDark()
  useEffect(() => void changeLocale('en').catch(() => undefined), [])
  return <Outlet />
}
