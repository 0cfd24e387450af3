import { type ComponentProps, useState } from 'react'
import { Rich } from '#web/words/Rich.tsx'
import { TextField } from './TextField.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'prefix' | 'suffix'>

/** A password field whose text can be shown: typing blind is error-prone on phones. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      // The error repeats what the hint asks for.
      hint={props.error ? undefined : props.hint}
      // The browser would cut a longer one without a word.
      maxLength={undefined}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          className="min-h-11 rounded-md px-3 font-medium text-accent text-sm hover:underline"
        >
          <Rich
            id={shown ? 'site.password.hide' : 'site.password.show'}
            tags={{ rest: (text) => <span className="sr-only">{text}</span> }}
          />
        </button>
      }
    />
  )
}
