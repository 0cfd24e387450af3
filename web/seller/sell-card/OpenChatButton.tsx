import { TextLink } from '#web/kit/Button.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/** Opens the support chat without leaving the form. */
export function OpenChatButton() {
  const t = useWords()
  const [address] = useSearchParams()
  const query = new URLSearchParams({ ...Object.fromEntries(address), chat: 'open' })
  return <TextLink to={`${paths.sellCard}?${query}`}>{t('site.supportChat')}</TextLink>
}
