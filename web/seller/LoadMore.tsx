import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { showCount } from '#domain/counting.ts'
import { Button } from '#web/kit/Button.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import { messageOf } from '#web/wire/errors.ts'
import type { Page } from '#web/wire/pages.ts'
import { rowsOf } from '#web/wire/pages.ts'
import { useWords } from '#web/words/words.ts'
import { intlLocales } from '#words/locales.ts'

export type List<Row> = UseInfiniteQueryResult<InfiniteData<Page<Row>>>

export function LoadMore<Row>({ list }: { list: List<Row> }) {
  const t = useWords()
  if (!list.hasNextPage) return null
  const shown = rowsOf(list.data).length
  const total = showCount(Math.max(shown, list.data?.pages[0]?.total ?? 0), intlLocales[t.locale])
  return (
    <div className="grid justify-items-center gap-3">
      <p className="figures text-soft text-sm">{t('seller.list.shown', { shown, total })}</p>
      {list.isFetchNextPageError && <FieldError>{messageOf(list.error, t('seller.list.failed'))}</FieldError>}
      <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {t('seller.list.more')}
      </Button>
    </div>
  )
}
