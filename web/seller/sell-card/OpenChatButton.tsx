import { TextLink } from '#web/kit/Button.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

/**
 * Opens the support chat without leaving the form.
 * @param about the id of a submission to ask about
 */
export function OpenChatButton({ about = 'open' }: { about?: string }) {
  const t = useWords()
  const [address] = useSearchParams()
  const query = new URLSearchParams({ ...Object.fromEntries(address), chat: about })
  return <TextLink to={`${paths.sellCard}?${query}`}>{t('site.supportChat')}</TextLink>
}
