import { Download } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { saveFile } from '#web/kit/save-file.ts'
import { toast } from '#web/kit/toast.ts'
import { callFile } from '#web/wire/call-file.ts'
import { toastUnlessAtField, useCallForm } from '#web/wire/use-call-form.ts'

/** The data for form 1099-K, with taxpayer numbers, so it takes the password. */
export function TaxForms({ year }: { year: number }) {
  const [open, setOpen] = useState(false)
  const { sending, submit, field } = useCallForm({
    schema: passwordForm,
    start: { password: '' },
    send: ({ password }) => callFile(routes.exportTaxForms, {}, { password, year }),
    onDone: (file) => {
      saveFile(file)
      toast({ title: 'File Downloaded', description: file.name })
      setOpen(false)
    },
    failed: toastUnlessAtField('Nothing Exported', 'The file could not be made.'),
  })
  return (
    <div className="pt-4">
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Download />
        Tax forms of {year}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Export tax forms of ${year}`}
        description="What form 1099-K needs of each seller above the threshold, with taxpayer numbers. Each number counts as a reveal, in the audit log and for its seller."
      >
        <Form onSubmit={submit}>
          <PasswordField
            label="Your password"
            autoFocus
            autoComplete="current-password"
            {...field('password')}
          />
          <FormActions loading={sending.isPending} onCancel={() => setOpen(false)}>
            Export
          </FormActions>
        </Form>
      </Dialog>
    </div>
  )
}

const passwordForm = z.object({ password: z.string() })
