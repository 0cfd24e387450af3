import { FileUp } from 'lucide-react'
import type { ChangeEvent } from 'react'
import { buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { useDrop } from '#web/kit/photos/drop-and-paste.ts'

/** Takes one file, chosen or dropped. It is the first thing to do in a dialog. */
export function FileDrop({ name, verb, isPending, isDone, onFile }: FileDropProps) {
  const take = ([file]: readonly File[]) => {
    if (file && !isPending) onFile(file)
  }
  const { over, handlers } = useDrop(take)
  function choose({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    take([...(currentTarget.files ?? [])])
    // The same file can be chosen again.
    currentTarget.value = ''
  }
  return (
    <section
      aria-label="Drop a file here"
      {...handlers}
      className={cx(
        'grid justify-items-center gap-3 rounded-lg border border-dashed px-6 text-center',
        isDone ? 'py-4' : 'py-8',
        over ? 'border-accent bg-accent-quiet' : 'border-control',
      )}
    >
      {!isDone && <FileUp className="size-8 text-soft" />}
      <label
        className={cx(
          buttonClass({ variant: isDone ? 'secondary' : 'primary' }),
          'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
        )}
      >
        {isPending ? verb : isDone ? 'Choose another file' : 'Choose file'}
        {/* biome-ignore lint/a11y/noAutofocus: the first thing to do in the dialog */}
        <input type="file" autoFocus disabled={isPending} onChange={choose} className="sr-only" />
      </label>
      <p className="text-soft text-sm">{name ?? 'Or drop it here'}</p>
    </section>
  )
}

interface FileDropProps {
  /** Of the file that was chosen. */
  name: string | undefined
  /** While the file is being sent, such as "Importing...". */
  verb: string
  isPending: boolean
  isDone: boolean
  onFile: (file: File) => void
}
