import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { TaxDetails as Details } from '#contract/tax-details.ts'
import { inDollars } from '#domain/money.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useLocation } from '#web/kit/router/index.ts'
import { SettingsSection } from '#web/kit/SettingsSection.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { read, refresh } from '#web/wire/read.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'

/** What the seller enters for form 1099-K. Nothing for sellers who were not paid enough for one. */
export function TaxDetails() {
  const t = useWords()
  const { data } = useQuery(read(routes.taxDetails, {}))
  const [changing, setChanging] = useState(false)
  const heading = useHeadingAtAnchor()
  if (!data || (!data.asked && !data.details)) return null
  const { asked, details, threshold, exports } = data
  return (
    <SettingsSection
      headingRef={heading}
      title={t('taxDetails.title')}
      intro={t('taxDetails.intro', { amount: inDollars(threshold ?? '0') })}
    >
      <div className="grid grid-cols-1 gap-5">
        {asked && (
          <Notice tone="caution" title={t('taxDetails.asked')}>
            {t('taxDetails.askedText')}
          </Notice>
        )}
        {details && !changing ? (
          <>
            <p>{t('taxDetails.saved.name', { name: details.name, tin: details.tin })}</p>
            <Button variant="secondary" onClick={() => setChanging(true)} className="sm:justify-self-start">
              {t('taxDetails.change')}
            </Button>
          </>
        ) : (
          <TaxDetailsForm
            details={details}
            onDone={() => {
              setChanging(false)
              // The form was longer than what follows it.
              heading.current?.scrollIntoView()
            }}
          />
        )}
        {exports.length > 0 && (
          <ul className="grid gap-1 text-soft text-sm">
            {exports.map(({ at }) => (
              <li key={at}>
                <Rich id="taxDetails.exported" tags={{ time: () => <Time at={at} as="dateTime" /> }} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </SettingsSection>
  )
}

/** Scrolls to the heading and focuses it if the address says `#tax`. */
function useHeadingAtAnchor() {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key, hash } = useLocation()
  const isAsked = useQuery(read(routes.taxDetails, {})).isSuccess
  // The section above has its height then.
  const isLast = useQuery(read(routes.paymentMethods, {})).isFetched
  useEffect(() => {
    if (hash !== '#tax' || !isAsked || !isLast) return
    // The layout first moves the focus to the new screen.
    const frame = requestAnimationFrame(() => {
      heading.current?.focus({ preventScroll: true })
      heading.current?.scrollIntoView()
    })
    return () => cancelAnimationFrame(frame)
  }, [key, hash, isAsked, isLast])
  return heading
}

interface TaxDetailsFormProps {
  details: Details['details']
  onDone: () => void
}

function TaxDetailsForm({ details, onDone }: TaxDetailsFormProps) {
  const t = useWords()
  const client = useQueryClient()
  const { name = '', street = '', city = '', state = '', zip = '' } = details ?? {}
  const { sending, submit, field } = useCallForm({
    schema: () => import('#contract/tax-details.ts').then((contract) => contract.taxDetailsForm),
    start: { name, street, city, state, zip, tin: '' },
    send: (body) => call(routes.saveTaxDetails, { body }),
    onDone: () => {
      toast({ title: t('taxDetails.saved'), description: t('taxDetails.savedText') })
      void refresh(client, routes.taxDetails, routes.myHome)
      onDone()
    },
    failed: toastUnlessAtField(t('taxDetails.failed'), t('taxDetails.failedText')),
  })
  return (
    <Form onSubmit={submit}>
      <TextField label={t('taxDetails.name')} autoComplete="name" {...field('name')} />
      <TextField label={t('taxDetails.street')} autoComplete="street-address" {...field('street')} />
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_6rem_9rem]">
        <TextField label={t('taxDetails.city')} autoComplete="address-level2" {...field('city')} />
        <TextField
          label={t('taxDetails.state')}
          autoComplete="address-level1"
          maxLength={2}
          {...field('state')}
        />
        <TextField label={t('taxDetails.zip')} autoComplete="postal-code" {...field('zip')} />
      </div>
      <TextField
        label={t('taxDetails.tin')}
        hint={t('taxDetails.tin.hint')}
        inputMode="numeric"
        autoComplete="off"
        className="figures"
        {...field('tin')}
      />
      <Button type="submit" loading={sending.isPending} className="sm:justify-self-start">
        {t(sending.isPending ? 'taxDetails.saving' : 'taxDetails.save')}
      </Button>
    </Form>
  )
}
