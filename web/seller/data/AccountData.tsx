import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { SettingsSection } from '#web/kit/SettingsSection.tsx'
import { saveFile } from '#web/kit/save-file.ts'
import { toast } from '#web/kit/toast.ts'
import { callFile } from '#web/wire/call-file.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'

/** Download everything, or delete the account. */
export default function AccountData() {
  const t = useWords()
  const [deleting, setDeleting] = useState(false)
  return (
    <AccountPage title={t('accountData.title')}>
      <div className="grid grid-cols-1 gap-10 md:gap-12">
        <SettingsSection title={t('accountData.download.title')} intro={t('accountData.download.intro')}>
          <p className="text-pretty text-soft">{t('accountData.download.text')}</p>
          <DownloadButton />
        </SettingsSection>
        <SettingsSection title={t('accountData.delete.title')} intro={t('accountData.delete.intro')}>
          <p className="text-pretty text-soft">{t('accountData.delete.text')}</p>
          <Button variant="secondary" onClick={() => setDeleting(true)} className="sm:justify-self-start">
            {t('accountData.delete.open')}
          </Button>
          <DeleteAccount open={deleting} onClose={() => setDeleting(false)} />
        </SettingsSection>
      </div>
    </AccountPage>
  )
}

function DownloadButton() {
  const t = useWords()
  const download = useMutation({
    mutationFn: () => callFile(routes.exportOwnData, {}),
    onSuccess: (file) => {
      saveFile(file)
      toast({ title: t('accountData.download.done'), description: t('accountData.download.doneText') })
    },
    onError: (error) =>
      toast({
        title: t('accountData.download.failed'),
        description: messageOf(error, t('site.tryAgain')),
        variant: 'destructive',
      }),
  })
  return (
    <Button
      variant="secondary"
      loading={download.isPending}
      onClick={() => download.mutate()}
      className="sm:justify-self-start"
    >
      {t(download.isPending ? 'accountData.download.pending' : 'accountData.download.start')}
    </Button>
  )
}
