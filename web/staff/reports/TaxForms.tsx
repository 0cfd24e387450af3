import { Download } from 'lucide-react'
import { useState } from 'react'
import { passwordCheck } from '#contract/passkeys.ts'
import { routes } from '#contract/routes.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { saveFile } from '#web/kit/save-file.ts'
import { callFile } from '#web/wire/call-file.ts'
import { OwnPasswordField } from '../facts/action-fields.tsx'

/** The data for form 1099-K. Asks for the password, because it has taxpayer numbers. */
export function TaxForms({ year }: { year: number }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="pt-4">
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Download />
        Tax forms of {year}
      </Button>
      <ActionDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Export tax forms of ${year}`}
        description="What form 1099-K needs of each seller above the threshold, with taxpayer numbers. Each number counts as a reveal, in the audit log and for its seller."
        schema={passwordCheck}
        start={{ password: '' }}
        send={({ password }) => callFile(routes.exportTaxForms, {}, { password, year })}
        failed="The file could not be made."
        done={({ name }) => ({ title: 'File Downloaded', description: name })}
        onDone={saveFile}
        submit="Export"
      >
        {(field) => <OwnPasswordField {...field('password')} />}
      </ActionDialog>
    </div>
  )
}
