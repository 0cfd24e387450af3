import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { routes } from '#contract/routes.ts'
import { sayNotLoaded } from '#web/kit/lazy-component.ts'
import { isPlainClick, useLocation } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { fetchAgain } from '#web/wire/read.ts'
import { sessionKey, useSession } from '#web/wire/session.ts'
import { changeLocale, useWords } from '#web/words/words.ts'
import { type Locale, localeNames, withLocale } from '#words/locales.ts'

/** Shows this screen in the other language. What was typed or chosen on it stays. */
export function LanguageLink({
  icon,
  onClick,
  children,
  ...rest
}: ComponentProps<'a'> & { icon?: ReactNode }) {
  const { locale } = useWords()
  const { pathname, search } = useLocation()
  const change = useChangeLocale()
  const other = locale === 'en' ? 'es' : 'en'
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    if (!isPlainClick(event)) return
    event.preventDefault()
    change(other).catch(sayNotLoaded)
  }
  return (
    <a {...rest} href={withLocale(other, pathname) + search} lang={other} hrefLang={other} onClick={follow}>
      {icon}
      {children ?? localeNames[other]}
    </a>
  )
}

/** For a signed-in seller also saves it: the account's language decides on later visits (web/seller/SignedIn.tsx). */
function useChangeLocale(): (locale: Locale) => Promise<void> {
  const session = useSession()
  const client = useQueryClient()
  return async (locale) => {
    // On a slow connection, who is signed in is not known yet.
    const isSignedIn =
      session.status === 'loading'
        ? (await client.ensureQueryData({ queryKey: sessionKey })) !== null
        : session.status === 'signed-in'
    if (isSignedIn) {
      client.setQueryData(sessionKey, (await call(routes.changeLocale, { body: { locale } })).user)
      // Answers have texts in the language of the account.
      void fetchAgain(client, {})
    }
    await changeLocale(locale)
  }
}
