import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Phone } from 'lucide-react'
import { useState } from 'react'
import type { StaffBrand } from '#contract/brands.ts'
import type { PolicyDecision } from '#contract/policies.ts'
import { routes } from '#contract/routes.ts'
import {
  type BalanceCheck,
  type BalanceRequest,
  newBalanceCheck,
  type StaffSubmission,
  type WireRisk,
} from '#contract/staff-submissions.ts'
import {
  BALANCE_CHECK_HOURS,
  BALANCE_WAIT_SECONDS,
  type BalanceSource,
  staffBalanceSources,
} from '#domain/balance.ts'
import { inDollars } from '#domain/money.ts'
import { may } from '#domain/roles.ts'
import { isFinal } from '#domain/submission.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { toastOf } from '#web/forms/use-call-form.ts'
import { Button, buttonClass, textLinkClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { FileField } from '#web/kit/FileField.tsx'
import { Money } from '#web/kit/Money.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { upload } from '#web/wire/upload.ts'
import { useWords } from '#web/words/words.ts'
import { canReveal, isErased, SecretFact } from '../../facts/CardFacts.tsx'
import { Fact, Facts } from '../../facts/Facts.tsx'
import { viewAddress } from '../../facts/photos/photo-address.ts'
import { RevealButton } from '../../facts/RevealButton.tsx'
import type { ClaimControl } from '../../facts/use-claim.ts'
import type { Reveal } from '../../facts/use-reveal.ts'
import { KeyButton, KeysAreOff } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { RelativeTime } from '../../shell/RelativeTime.tsx'
import { keepSubmission } from '../../shell/submission-queries.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { SuggestedOffer } from '../moves/SuggestedOffer.tsx'
import type { MoveMutation } from '../moves/use-move.ts'

interface BalanceProps {
  submission: StaffSubmission
  reveal: Reveal
  move: MoveMutation
  claim: ClaimControl
}

const sourceWords: Readonly<Record<BalanceSource, string>> = {
  website: 'Website',
  phone: 'Phone',
  store: 'Store',
  other: 'Other',
  connector: 'Balance service',
}

/** What came of asking the balance service. A found balance is a check, which is shown instead. */
const requestWords: Readonly<Record<BalanceRequest['state'], string | undefined>> = {
  asking: 'Asking …',
  ok: undefined,
  skipped: undefined,
  late: `No answer within ${BALANCE_WAIT_SECONDS} seconds. Check the balance yourself.`,
  not_found: 'Does not know this card. Check the balance yourself.',
  blocked: 'Says that this card is blocked. Check the balance yourself.',
  unknown: 'Could not find the balance. Check it yourself.',
  timeout: 'Did not answer within 10 seconds. Check the balance yourself.',
  unreachable: 'Could not be reached. Check the balance yourself.',
  no_host: 'Its host does not exist. Check the balance yourself, and tell an owner.',
  address_refused: 'Its address is private or without https. Check the balance yourself, and tell an owner.',
  certificate: 'Its certificate is not valid. Check the balance yourself, and tell an owner.',
  signature_refused: 'Refused our signature. Check the balance yourself, and tell an owner.',
  http_error: 'Answered with an error. Check the balance yourself.',
  bad_answer: 'Gave an answer that we cannot read. Check the balance yourself, and tell an owner.',
  interrupted: 'Our server stopped while it asked. Check the balance yourself.',
}

/** The latest balance check, and what follows from it. */
export function Balance({ submission, reveal, move, claim }: BalanceProps) {
  const { admin } = useStaff()
  const [isChecking, setChecking] = useState(false)
  const { balanceCheck: check } = submission
  const mayCheck = may(admin.role, 'decide') && !isErased(submission)
  // The bar of the blocking risk offers it then.
  const isBlocked = submission.risks?.some(
    ({ code, acknowledged }) => code === 'low_balance' && !acknowledged,
  )
  useKeys(mayCheck ? { checkBalance: () => setChecking(true) } : {})
  return (
    <>
      <Facts
        title="Balance"
        action={
          mayCheck && (
            <KeyButton action="checkBalance" variant="secondary" size="sm" onClick={() => setChecking(true)}>
              Check Balance
            </KeyButton>
          )
        }
      >
        {check ? (
          <CheckFacts check={check} isLower={isLower(submission)} />
        ) : (
          <Fact name="Found">Not checked yet</Fact>
        )}
        <RequestFact submission={submission} />
        {submission.policyDecisions?.map((said) => (
          <PolicyFact key={`${said.policyId} ${said.version}`} said={said} risks={submission.risks} />
        ))}
      </Facts>
      {mayCheck && submission.balanceAskable && <AskButton submission={submission} />}
      {submission.balanceCheckNeeded && !isFinal(submission.status) && (
        <p className="text-caution text-sm">
          Cards of this value are approved and paid only within {BALANCE_CHECK_HOURS} hours of a balance
          check.
        </p>
      )}
      {!isBlocked && <SuggestedOffer submission={submission} move={move} claim={claim} />}
      {mayCheck && (
        <Dialog
          wide
          open={isChecking}
          onOpenChange={setChecking}
          title="Check balance"
          description={`${submission.brandName} ${inDollars(submission.denomination)} from ${submission.user.username}`}
        >
          <CheckBalance submission={submission} reveal={reveal} onDone={() => setChecking(false)} />
        </Dialog>
      )}
    </>
  )
}

function RequestFact({ submission: { balanceRequest: request } }: Pick<BalanceProps, 'submission'>) {
  const words = request && requestWords[request.state]
  return (
    words && (
      <Fact name="Balance service">
        <span role="status" className={request.state === 'asking' ? 'text-soft' : 'text-caution'}>
          {words}
        </span>
      </Fact>
    )
  )
}

/** What a policy said about the card. */
function PolicyFact({ said, risks }: { said: PolicyDecision; risks: StaffSubmission['risks'] }) {
  const { name, version, outcome, reason, at } = said
  const t = useWords()
  const policy = `“${name}” v${version}`
  return (
    <Fact name="Policy">
      {outcome === 'approved' && `Approved by ${policy}`}
      {outcome === 'would_approve' && `Would have approved: ${policy}`}
      {reason && `Left to you by ${policy}: ${t(`policies.stopped.${reason}`)}`}
      {reason === 'no_risk' && risks && sayRisks(risks)}{' '}
      <span className="text-soft text-sm">
        <RelativeTime at={at} />
      </span>
    </Fact>
  )
}

/** The risks that the submission has now. The policy's answer does not say which of them stopped it. */
function sayRisks(risks: readonly WireRisk[]): string {
  return risks.length > 0 ? ` (${risks.map(({ message }) => message).join('; ')})` : ', which is gone'
}

function AskButton({ submission }: Pick<BalanceProps, 'submission'>) {
  const client = useQueryClient()
  const { id, balanceRequest: request } = submission
  const isAsking = request?.state === 'asking'
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(routes.askBalance, { params: { id } }),
    onSuccess: (asked) => keepSubmission(client, asked),
    onError: toastFailure('Not Asked', 'The balance service could not be asked.'),
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      className="justify-self-start"
      loading={isPending}
      disabled={isAsking}
      onClick={() => mutate()}
    >
      {request ? 'Ask Balance Service Again' : 'Ask Balance Service'}
    </Button>
  )
}

function CheckFacts({ check, isLower }: { check: BalanceCheck; isLower: boolean }) {
  const { amount, source, note, photo, by, at } = check
  return (
    <>
      <Fact name="Found">
        <Money amount={amount} className={cx('font-semibold', isLower && 'text-caution')} />
        {isLower && <span className="ml-2 text-caution text-sm">Below face value</span>}
      </Fact>
      <Fact name="Checked">
        <RelativeTime at={at} /> by{' '}
        {by === null ? 'the balance service' : `${by}, ${sourceWords[source].toLowerCase()}`}
        {photo && (
          <>
            {' · '}
            <a href={viewAddress(photo, 'full')} target="_blank" rel="noreferrer" className={textLinkClass}>
              Photo
            </a>
          </>
        )}
      </Fact>
      {note && (
        <Fact name="Note">
          <span className="whitespace-pre-line">{note}</span>
        </Fact>
      )}
    </>
  )
}

function isLower({ denomination, balanceCheck }: StaffSubmission): boolean {
  return balanceCheck !== null && Number(balanceCheck.amount) < Number(denomination)
}

/** Shown beside the face value. Empty before the first check. */
export function BalanceFigure({ submission }: { submission: StaffSubmission }) {
  const { balanceCheck } = submission
  return (
    balanceCheck && (
      <div>
        <dt className="text-soft text-sm">Balance</dt>
        <dd>
          <Money
            amount={balanceCheck.amount}
            className={cx('font-semibold', isLower(submission) && 'text-caution')}
          />
        </dd>
      </div>
    )
  )
}

type CheckBalanceProps = Pick<BalanceProps, 'submission' | 'reveal'> & { onDone: () => void }

function CheckBalance({ submission, reveal, onDone }: CheckBalanceProps) {
  const { data, isPending } = useQuery(read(routes.staffBrands, {}))
  const brand = data?.find(({ value }) => value === submission.brand)
  return (
    <>
      <KeysAreOff value={true}>
        <WhereToCheck submission={submission} reveal={reveal} brand={data && (brand ?? {})} />
      </KeysAreOff>
      {isPending ? (
        <Skeleton className="h-64" />
      ) : (
        <CheckForm
          submission={submission}
          foundBy={brand?.balanceUrl ? 'website' : brand?.balancePhone ? 'phone' : 'other'}
          onDone={onDone}
        />
      )}
    </>
  )
}

interface WhereToCheckProps extends Pick<BalanceProps, 'submission' | 'reveal'> {
  /** Undefined until it is loaded. */
  brand: Partial<Pick<StaffBrand, 'balanceUrl' | 'balancePhone' | 'balanceCheckedOn'>> | undefined
}

/** The brand's page and phone number, and the card's numbers to copy. */
function WhereToCheck({ submission, reveal, brand }: WhereToCheckProps) {
  const { admin } = useStaff()
  const { balanceUrl, balancePhone, balanceCheckedOn } = brand ?? {}
  return (
    <div className="grid gap-4">
      <Facts title="Card" action={canReveal(admin, submission) && <RevealButton reveal={reveal} />}>
        <SecretFact name="Card number" field="cardNumber" submission={submission} reveal={reveal} />
        <SecretFact name="PIN" field="securityCode" submission={submission} reveal={reveal} />
      </Facts>
      <p className="flex flex-wrap items-center gap-2 empty:hidden">
        {balanceUrl && (
          <a
            href={balanceUrl}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ variant: 'secondary', size: 'sm' })}
          >
            <ExternalLink aria-hidden="true" />
            Open balance page
          </a>
        )}
        {balancePhone && (
          <a
            href={`tel:${balancePhone.replace(/[^\d+]/g, '')}`}
            className={buttonClass({ variant: 'secondary', size: 'sm' })}
          >
            <Phone aria-hidden="true" />
            {balancePhone}
          </a>
        )}
        {(balanceUrl || balancePhone) && (
          <span className="text-soft text-sm">
            {balanceCheckedOn ? (
              <>
                Checked <Time at={balanceCheckedOn} as="day" />
              </>
            ) : (
              'From public sources, not checked by us yet'
            )}
          </span>
        )}
        {brand && !balanceUrl && !balancePhone && (
          <span className="text-soft text-sm">
            {submission.brandName} has no balance page and no phone number yet. A manager can add them to the
            brand.
          </span>
        )}
      </p>
    </div>
  )
}

const sourceChoices = staffBalanceSources.map((value) => ({ value, label: sourceWords[value] }))

interface CheckFormProps {
  submission: StaffSubmission
  /** Where the balance was probably found. */
  foundBy: (typeof staffBalanceSources)[number]
  onDone: () => void
}

function CheckForm({ submission, foundBy, onDone }: CheckFormProps) {
  const client = useQueryClient()
  return (
    <ActionForm
      schema={newBalanceCheck}
      start={{
        amount: '',
        source: foundBy,
        note: '',
        photo: undefined as File | undefined,
      }}
      send={(_, { photo, ...fields }) =>
        upload(routes.recordBalanceCheck, {
          params: { id: submission.id },
          fields,
          files: photo ? [photo] : [],
          filesName: 'photo',
        })
      }
      failed={toastOf('Balance Not Recorded', 'The balance could not be recorded.')}
      done={({ amount }) => ({
        title: 'Balance Recorded',
        description: `The card has ${inDollars(amount)}.`,
      })}
      refreshes={[routes.balanceChecks, routes.auditLog]}
      onDone={(balanceCheck) => {
        keepSubmission(client, { ...submission, balanceCheck, balanceCheckNeeded: false })
        onDone()
      }}
      onCancel={onDone}
      submit="Record Balance"
    >
      {(field, form) => (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Balance"
            inputMode="decimal"
            prefix="$"
            autoComplete="off"
            autoFocus
            {...field('amount')}
          />
          <SelectField label="Found by" choices={sourceChoices} {...field('source')} />
          <TextArea label="Note" optional rows={2} hint="Encrypted like the card number" {...field('note')} />
          <FileField
            label="Photo"
            optional
            accept="image/*"
            onFile={(photo) => form.setValue('photo', photo)}
          />
        </div>
      )}
    </ActionForm>
  )
}
